//! One trace event, read fast: keys in any order, values as slices of the file.
//!
//! [`read`] understands what writers usually write. Anything else makes it answer
//! [`Reading::Odd`], and the slow reader takes the event.

use crate::formats::kineto::cursor::{Cursor, Scalar, Stop};
use crate::formats::kineto::layout::{Before, Field, Layout, Next};

/// The fields of an event as they stand in the file; texts without their quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Event<'a> {
    pub(super) phase: Option<u8>,
    pub(super) category: &'a [u8],
    /// With its escapes.
    pub(super) name: &'a [u8],
    pub(super) process: Option<Scalar<'a>>,
    pub(super) thread: Option<Scalar<'a>>,
    pub(super) time: Option<Scalar<'a>>,
    pub(super) dur: Option<Scalar<'a>>,
    pub(super) id: Option<Scalar<'a>>,
    /// The object, braces and all.
    pub(super) args: Option<&'a [u8]>,
    /// The arguments hold no other object.
    pub(super) has_flat_args: bool,
    pub(super) is_empty: bool,
}

/// How reading an event ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Where the event ends.
    Event(usize),
    Odd,
    CutOff,
}

impl<'a> Event<'a> {
    /// Reads the event whose brace stands at `at` into `self`, which is empty before.
    pub(super) fn read(&mut self, bytes: &'a [u8], at: usize, layout: &mut Layout) -> Reading {
        let mut cursor = Cursor { bytes, at: at + 1 };
        match self.fields(&mut cursor, layout) {
            Ok(()) => Reading::Event(cursor.at),
            Err(Stop::Odd) => Reading::Odd,
            Err(Stop::CutOff) => Reading::CutOff,
        }
    }

    fn fields(&mut self, cursor: &mut Cursor<'a>, layout: &mut Layout) -> Result<(), Stop> {
        let mut before = Before::FIRST;
        let mut seen = 0_u16;
        loop {
            let rest = cursor.bytes.get(cursor.at..).unwrap_or_default();
            let next = if let Some((length, next)) = layout.known(before, rest) {
                cursor.at += length;
                next
            } else {
                let from = cursor.at;
                let next = gap(cursor, seen == 0)?;
                let text = cursor.bytes.get(from..cursor.at).unwrap_or_default();
                layout.learn(before, text, next);
                next
            };
            let Next::Value(field) = next else {
                self.is_empty = seen == 0;
                return Ok(());
            };
            let first = cursor.peek()?;
            self.value(field, first, cursor)?;
            let bit = 1 << field.map_or(Field::COUNT, |it| it as usize);
            if seen & bit != 0 && field.is_some() {
                return Err(Stop::Odd);
            }
            seen |= bit;
            before = Before::behind(field);
        }
    }

    /// Reads the value of a field, or passes over it.
    #[inline]
    fn value(
        &mut self,
        field: Option<Field>,
        first: u8,
        cursor: &mut Cursor<'a>,
    ) -> Result<(), Stop> {
        match field {
            Some(Field::Phase) => {
                let text = cursor.text(first)?;
                self.phase = text.first().copied().filter(|_| text.len() == 1);
            }
            Some(Field::Category) => self.category = cursor.text(first)?,
            Some(Field::Name) => self.name = cursor.text(first)?,
            Some(Field::Process) => self.process = cursor.scalar(first)?,
            Some(Field::Thread) => self.thread = cursor.scalar(first)?,
            Some(Field::Time) => self.time = cursor.scalar(first)?,
            Some(Field::Dur) => self.dur = cursor.scalar(first)?,
            Some(Field::Id) => self.id = cursor.scalar(first)?,
            Some(Field::Args) if first == b'{' => {
                let from = cursor.at;
                self.has_flat_args = cursor.skip()?;
                self.args = cursor.bytes.get(from..cursor.at);
            }
            _ if matches!(first, b'{' | b'[') => {
                cursor.skip()?;
            }
            _ => {
                cursor.scalar(first)?;
            }
        }
        Ok(())
    }
}

/// Reads by the rules what stands between two values, up to where the next one may start.
fn gap(cursor: &mut Cursor<'_>, is_first: bool) -> Result<Next, Stop> {
    let byte = cursor.peek()?;
    if byte == b'}' {
        cursor.at += 1;
        return Ok(Next::End);
    }
    if !is_first {
        cursor.expect(b',')?;
    }
    cursor.expect(b'"')?;
    let key = cursor.key()?;
    cursor.expect(b':')?;
    cursor.peek()?;
    Ok(Next::Value(Field::of_key(key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice, as a text of a new writer and of a known one.
    fn read(text: &[u8]) -> (Reading, Event<'_>) {
        let mut layout = Layout::default();
        let mut once = || {
            let mut event = Event::default();
            (event.read(text, 0, &mut layout), event)
        };
        let first = once();
        assert_eq!(first, once());
        first
    }

    #[test]
    fn an_event_is_read_whatever_the_order_of_keys_and_the_white_space() {
        let text = b"{\"name\":\"k\" ,\"ts\": 1.5,\n \"args\": {\"a\": [1, {\"b\": \"}\"}]}, \"dur\":2,\"ph\":\"X\", \"pid\":\"GPU\", \"tid\": -7 , \"s\": true, \"t\": 1}, {";
        let (end, event) = read(text);
        assert_eq!(end, Reading::Event(text.len() - 3));
        assert_eq!((event.phase, event.name), (Some(b'X'), &b"k"[..]));
        let scalar = |text: &'static [u8], quoted| Some(Scalar { text, quoted });
        assert_eq!(event.thread, scalar(b"-7", false));
        assert_eq!(event.process, scalar(b"GPU", true));
        assert_eq!(event.args, Some(&b"{\"a\": [1, {\"b\": \"}\"}]}"[..]));
        assert!(!event.has_flat_args);
    }

    #[test]
    fn a_known_layout_with_more_white_space_than_before_is_read_alike() {
        let mut layout = Layout::default();
        for space in ["", " ", "\n   ", "", "\n"] {
            let text = format!(
                "{{{space}\"ph\":{space}\"X\"{space},{space}\"ts\":{space}12{space},\"args\":{space}{{}}{space}}}  and more text behind it, too"
            );
            let mut event = Event::default();
            let end = event.read(text.as_bytes(), 0, &mut layout);
            assert_eq!(end, Reading::Event(text.find("  and").unwrap()), "{text}");
            assert_eq!(event.time.map(|it| it.text), Some(&b"12"[..]));
        }
    }

    #[test]
    fn cuts_and_oddities_are_told_apart() {
        assert_eq!(read(br#"{"ph": "X", "na"#).0, Reading::CutOff);
        assert_eq!(read(br#"{"ph": "X", "ts": NaN}"#).0, Reading::Odd);
        assert_eq!(read(br#"{"ph": "X", "ph": "M"}"#).0, Reading::Odd);
        assert_eq!(read(br#"{"ph": "X" "ts": 1}"#).0, Reading::Odd);
        let (end, event) = read(b"{ }");
        assert!(end == Reading::Event(3) && event.is_empty);
    }
}
