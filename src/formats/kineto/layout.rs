//! What stands between the values of an event, as the writer of this file writes it.
//!
//! A writer puts the same bytes before the same key every time: `,\n    "ts": `. Once read by the
//! rules, such a *gap* is known again by comparing 32 bytes at once. A gap that was not met is read by
//! the rules, so a file with other gaps is read alike, only slower.

use wide::u8x16;

/// The fields of an event that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Phase,
    Category,
    Name,
    Process,
    Thread,
    Time,
    Dur,
    Args,
    Id,
}

impl Field {
    pub(super) const COUNT: usize = 9;

    /// The field of a key; `None` for keys that are passed over.
    pub(super) fn of_key(key: &[u8]) -> Option<Self> {
        Some(match key {
            b"ph" => Self::Phase,
            b"cat" => Self::Category,
            b"name" => Self::Name,
            b"pid" => Self::Process,
            b"tid" => Self::Thread,
            b"ts" => Self::Time,
            b"dur" => Self::Dur,
            b"args" => Self::Args,
            b"id" => Self::Id,
            _ => return None,
        })
    }
}

/// What a gap leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The value of a field; `None` for one that is passed over.
    Value(Option<Field>),
    /// The closing brace is behind.
    End,
}

/// From the end of one value, or the opening brace, to the start of the next.
#[derive(Clone, Copy)]
struct Gap {
    text: [u8; GAP_MAX],
    length: usize,
    next: Next,
}

const GAP_MAX: usize = 32;

impl Gap {
    /// Whether the text starts with this gap. Most are no longer than one register.
    #[inline]
    fn stands_at(&self, head: &[u8; GAP_MAX]) -> bool {
        let (own, _) = self.text.as_chunks::<16>();
        let (head, _) = head.as_chunks::<16>();
        let mut left = self.length;
        for (own, head) in own.iter().zip(head) {
            let equal = u8x16::new(*own).simd_eq(u8x16::new(*head)).to_bitmask();
            let equal = (!equal).trailing_zeros() as usize;
            if left <= 16 {
                return equal >= left;
            }
            if equal < 16 {
                return false;
            }
            left -= 16;
        }
        false
    }
}

const UNKNOWN: Gap = Gap {
    text: [0; GAP_MAX],
    // Longer than what can be equal: never met.
    length: GAP_MAX + 1,
    next: Next::End,
};

/// Gaps that are kept for one place: spans, the two ends of arrows and labels may differ.
const WAYS: usize = 4;

/// The gaps met so far, by what stands before them.
pub(super) struct Layout {
    gaps: [[Gap; WAYS]; Field::COUNT + 2],
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            gaps: [[UNKNOWN; WAYS]; Field::COUNT + 2],
        }
    }
}

/// Where a gap stands.
#[derive(Clone, Copy)]
pub(super) struct Before(usize);

impl Before {
    /// Behind the opening brace.
    pub(super) const FIRST: Self = Self(Field::COUNT);

    pub(super) fn behind(field: Option<Field>) -> Self {
        Self(field.map_or(Field::COUNT + 1, |it| it as usize))
    }
}

impl Layout {
    /// The length of the gap that starts here, if it is a known one, and what it leads to.
    #[inline]
    pub(super) fn known(&self, before: Before, rest: &[u8]) -> Option<(usize, Next)> {
        let head = rest.first_chunk()?;
        let gaps = self.gaps.get(before.0)?;
        gaps.iter()
            .find(|it| it.stands_at(head))
            .map(|it| (it.length, it.next))
    }

    /// Keeps a gap that was read by the rules, if it is short; where there is no room, the last of its
    /// place gives way.
    pub(super) fn learn(&mut self, before: Before, text: &[u8], next: Next) {
        let mut gap = Gap {
            text: [0; GAP_MAX],
            length: text.len(),
            next,
        };
        if let Some(gaps) = self.gaps.get_mut(before.0)
            && let Some(own) = gap.text.get_mut(..text.len())
        {
            own.copy_from_slice(text);
            let free = gaps.iter().position(|it| it.length > GAP_MAX);
            if let Some(slot) = gaps.get_mut(free.unwrap_or(WAYS - 1)) {
                *slot = gap;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_several_kinds_of_event_are_known_again() {
        let mut layout = Layout::default();
        let place = Before::behind(Some(Field::Name));
        let time = Next::Value(Some(Field::Time));
        let behind = [" , \"ts\": ", "\n}", ",\"ts\":"];
        let nexts = [time, Next::End, time];
        for (text, next) in behind.iter().zip(nexts) {
            assert_eq!(layout.known(place, format!("{text:60}").as_bytes()), None);
            layout.learn(place, text.as_bytes(), next);
        }
        layout.learn(place, &[b' '; GAP_MAX + 1], Next::End);
        for (text, next) in behind.iter().zip(nexts) {
            let rest = format!("{text}17{:60}", "");
            let known = layout.known(place, rest.as_bytes());
            assert_eq!(known, Some((text.len(), next)));
            assert_eq!(layout.known(Before::FIRST, rest.as_bytes()), None);
        }
    }
}
