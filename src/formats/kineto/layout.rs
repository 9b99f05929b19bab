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

const UNKNOWN: Gap = Gap {
    text: [0; GAP_MAX],
    // Longer than what can be equal: never met.
    length: GAP_MAX + 1,
    next: Next::End,
};

/// The gaps met so far, by what stands before them. Two each: launches, kernels and arrows differ.
pub(super) struct Layout {
    gaps: [[Gap; 2]; Field::COUNT + 2],
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            gaps: [[UNKNOWN; 2]; Field::COUNT + 2],
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
        let [likely, other] = self.gaps.get(before.0)?;
        if equal_bytes(head, &likely.text) >= likely.length {
            return Some((likely.length, likely.next));
        }
        (equal_bytes(head, &other.text) >= other.length).then_some((other.length, other.next))
    }

    /// Keeps a gap that was read by the rules; the older of two gives way.
    pub(super) fn learn(&mut self, before: Before, text: &[u8], next: Next) {
        let mut gap = Gap {
            text: [0; GAP_MAX],
            length: text.len(),
            next,
        };
        if let Some(pair) = self.gaps.get_mut(before.0)
            && let Some(own) = gap.text.get_mut(..text.len())
        {
            own.copy_from_slice(text);
            *pair = [pair[1], gap];
            if pair[0].length > GAP_MAX {
                pair.swap(0, 1);
            }
        }
    }
}

/// How many bytes are equal before the first that is not.
#[inline]
fn equal_bytes(one: &[u8; GAP_MAX], other: &[u8; GAP_MAX]) -> usize {
    let (one, _) = one.as_chunks::<16>();
    let (other, _) = other.as_chunks::<16>();
    let pairs = one.iter().zip(other).rev();
    let equal = pairs.fold(0_u32, |all, (a, b)| {
        all << 16 | u8x16::new(*a).simd_eq(u8x16::new(*b)).to_bitmask()
    });
    (!equal).trailing_zeros() as usize
}
