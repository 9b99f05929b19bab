//! One trace event, read fast: keys in any order, values as slices of the file.
//!
//! [`read`] understands what writers usually write. Anything else makes it answer
//! [`Reading::Odd`], and the slow reader takes the event.

use memchr::memchr;

use crate::formats::kineto::skip::{Skipped, skip_plain};

/// The fields of an event as they stand in the file; texts without their quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Event<'a> {
    pub(super) phase: Option<u8>,
    pub(super) category: &'a [u8],
    pub(super) name: &'a [u8],
    pub(super) process: Option<Scalar<'a>>,
    pub(super) thread: Option<Scalar<'a>>,
    pub(super) time: Option<Scalar<'a>>,
    pub(super) dur: Option<Scalar<'a>>,
    pub(super) id: Option<Scalar<'a>>,
    /// The object, braces and all.
    pub(super) args: Option<&'a [u8]>,
    pub(super) is_empty: bool,
}

/// A number or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scalar<'a> {
    pub(super) text: &'a [u8],
    pub(super) quoted: bool,
}

/// How reading an event ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading<'a> {
    /// The event, and where it ends.
    Event(Event<'a>, usize),
    Odd,
    CutOff,
}

/// The fields that are read.
#[derive(Clone, Copy)]
enum Field {
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

/// A key, bare and as it is usually written.
struct Key {
    name: &'static [u8],
    /// With quotes and colon, of which there are `length` bytes.
    written: u64,
    length: usize,
    field: Field,
}

/// Keys in the order of [`Field`]: the one in which most writers write.
const KEYS: [Key; 9] = [
    Key::new(b"ph", *b"\"ph\":   ", Field::Phase),
    Key::new(b"cat", *b"\"cat\":  ", Field::Category),
    Key::new(b"name", *b"\"name\": ", Field::Name),
    Key::new(b"pid", *b"\"pid\":  ", Field::Process),
    Key::new(b"tid", *b"\"tid\":  ", Field::Thread),
    Key::new(b"ts", *b"\"ts\":   ", Field::Time),
    Key::new(b"dur", *b"\"dur\":  ", Field::Dur),
    Key::new(b"args", *b"\"args\": ", Field::Args),
    Key::new(b"id", *b"\"id\":   ", Field::Id),
];

impl Key {
    const fn new(name: &'static [u8], written: [u8; 8], field: Field) -> Self {
        Self {
            name,
            written: u64::from_le_bytes(written),
            length: name.len() + 3,
            field,
        }
    }

    /// Compares as one number, from which the bytes behind the key are shifted out.
    #[inline]
    fn starts(&self, head: [u8; 8]) -> bool {
        (u64::from_le_bytes(head) ^ self.written) << (64 - 8 * self.length) == 0
    }
}

/// Ends reading early.
pub(super) enum Stop {
    Odd,
    CutOff,
}

/// A place in the text of a file.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

/// Reads the event whose brace stands at `at`.
pub(super) fn read(bytes: &[u8], at: usize) -> Reading<'_> {
    let mut cursor = Cursor { bytes, at: at + 1 };
    match cursor.event() {
        Ok(event) => Reading::Event(event, cursor.at),
        Err(Stop::Odd) => Reading::Odd,
        Err(Stop::CutOff) => Reading::CutOff,
    }
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next byte that is not white space. Mostly it stands here or behind one space.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, Stop> {
        match self.bytes.get(self.at..) {
            Some([byte, ..]) if *byte > b' ' => Ok(*byte),
            Some([b' ', byte, ..]) if *byte > b' ' => {
                self.at += 1;
                Ok(*byte)
            }
            _ => self.after_space(),
        }
    }

    fn after_space(&mut self) -> Result<u8, Stop> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ') => self.at += self.spaces(),
                Some(b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(Stop::CutOff),
            }
        }
    }

    /// How many spaces stand here, counted up to eight at once.
    #[inline]
    fn spaces(&self) -> usize {
        let Some(head) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) else {
            return 1;
        };
        let others = u64::from_le_bytes(*head) ^ u64::from_le_bytes([b' '; 8]);
        others.trailing_zeros() as usize / 8
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek()? != byte {
            return Err(Stop::Odd);
        }
        self.at += 1;
        Ok(())
    }

    fn event(&mut self) -> Result<Event<'a>, Stop> {
        let mut event = Event::default();
        if self.peek()? == b'}' {
            self.at += 1;
            event.is_empty = true;
            return Ok(event);
        }
        let mut seen = 0_u16;
        let mut likely = 0;
        loop {
            let field = self.field(likely)?;
            let first = self.peek()?;
            self.value(field, first, &mut event)?;
            let bit = field.map_or(0, |it| 1 << it as u16);
            if seen & bit != 0 {
                return Err(Stop::Odd);
            }
            seen |= bit;
            likely = field.map_or(likely, |it| it as usize + 1);
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(Stop::Odd),
            }
        }
        self.at += 1;
        Ok(event)
    }

    /// The field whose key stands here, with its colon; `None` for keys that are passed over. Looks
    /// first at the one that follows the last in the order of [`KEYS`], in which most writers write.
    #[inline]
    fn field(&mut self, likely: usize) -> Result<Option<Field>, Stop> {
        self.peek()?;
        if let Some(key) = KEYS.get(likely)
            && let Some(head) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk)
            && key.starts(*head)
        {
            self.at += key.length;
            return Ok(Some(key.field));
        }
        self.expect(b'"')?;
        let key = self.key()?;
        self.expect(b':')?;
        Ok(KEYS.iter().find(|it| it.name == key).map(|it| it.field))
    }

    /// Reads the value of a field, or passes over it.
    #[inline]
    fn value(
        &mut self,
        field: Option<Field>,
        first: u8,
        event: &mut Event<'a>,
    ) -> Result<(), Stop> {
        match field {
            Some(Field::Phase) => {
                let text = self.text(first)?;
                event.phase = text.first().copied().filter(|_| text.len() == 1);
            }
            Some(Field::Category) => event.category = self.text(first)?,
            Some(Field::Name) => event.name = self.text(first)?,
            Some(Field::Process) => event.process = self.scalar(first)?,
            Some(Field::Thread) => event.thread = self.scalar(first)?,
            Some(Field::Time) => event.time = self.scalar(first)?,
            Some(Field::Dur) => event.dur = self.scalar(first)?,
            Some(Field::Id) => event.id = self.scalar(first)?,
            Some(Field::Args) if first == b'{' => {
                let from = self.at;
                self.skip()?;
                event.args = self.bytes.get(from..self.at);
            }
            _ if matches!(first, b'{' | b'[') => self.skip()?,
            _ => {
                self.scalar(first)?;
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn key(&mut self) -> Result<&'a [u8], Stop> {
        let from = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\' | 0..0x20 | 0x80..) => return Err(Stop::Odd),
                Some(_) => self.at += 1,
                None => return Err(Stop::CutOff),
            }
        }
        let key = self.bytes.get(from..self.at).unwrap_or_default();
        self.at += 1;
        Ok(key)
    }

    /// A text without its quotes. Whether it is plain is asked where it is used for the first time.
    #[inline]
    pub(super) fn text(&mut self, first: u8) -> Result<&'a [u8], Stop> {
        if first != b'"' {
            return Err(Stop::Odd);
        }
        let from = self.at + 1;
        let rest = self.bytes.get(from..).unwrap_or_default();
        let length = memchr(b'"', rest).ok_or(Stop::CutOff)?;
        self.at = from + length + 1;
        let text = rest.get(..length).unwrap_or_default();
        // A quote after a backslash may not be the end.
        if text.last() == Some(&b'\\') {
            Err(Stop::Odd)
        } else {
            Ok(text)
        }
    }

    #[inline]
    fn scalar(&mut self, first: u8) -> Result<Option<Scalar<'a>>, Stop> {
        if first == b'"' {
            let text = self.text(first)?;
            return if is_plain(text) {
                Ok(Some(Scalar { text, quoted: true }))
            } else {
                Err(Stop::Odd)
            };
        }
        let from = self.at;
        let rest = self.bytes.get(from..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|it| !is_of_number(*it))
            .unwrap_or(rest.len());
        if !matches!(
            rest.get(length),
            None | Some(b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t')
        ) {
            return self.literal(from);
        }
        self.at = from + length;
        let text = rest.get(..length).unwrap_or_default();
        match text.first() {
            Some(b'-' | b'0'..=b'9') => Ok(Some(Scalar {
                text,
                quoted: false,
            })),
            _ => Err(Stop::Odd),
        }
    }

    fn literal(&mut self, from: usize) -> Result<Option<Scalar<'a>>, Stop> {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let words = [&b"true"[..], b"false", b"null"];
        if let Some(word) = words.iter().find(|it| rest.starts_with(it)) {
            self.at = from + word.len();
            return Ok(None);
        }
        let is_cut = words.iter().any(|it| it.starts_with(rest));
        Err(if is_cut { Stop::CutOff } else { Stop::Odd })
    }

    pub(super) fn skip(&mut self) -> Result<(), Stop> {
        match skip_plain(self.bytes, self.at) {
            Skipped::Plain(end) => {
                self.at = end;
                Ok(())
            }
            Skipped::Odd => Err(Stop::Odd),
            Skipped::CutOff => Err(Stop::CutOff),
        }
    }
}

#[inline]
fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E')
}

/// Whether a text between quotes means itself: ASCII, no control character, no backslash.
pub(super) fn is_plain(text: &[u8]) -> bool {
    // Without an early end the compiler makes vector code of it.
    let odd = |byte: u8| u8::from(byte < 0x20) | u8::from(byte >= 0x80) | u8::from(byte == b'\\');
    text.iter().fold(0, |odds, byte| odds | odd(*byte)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_whatever_the_order_of_keys_and_the_white_space() {
        let text = b"{\"name\":\"k\" ,\"ts\": 1.5,\n \"args\": {\"a\": [1, {\"b\": \"}\"}]}, \"dur\":2,\"ph\":\"X\", \"pid\":\"GPU\", \"tid\": -7 , \"s\": true}, {";
        let Reading::Event(event, end) = read(text, 0) else {
            panic!()
        };
        assert_eq!(end, text.len() - 3);
        assert_eq!((event.phase, event.name), (Some(b'X'), &b"k"[..]));
        assert_eq!(
            event.thread,
            Some(Scalar {
                text: b"-7",
                quoted: false
            })
        );
        assert_eq!(
            event.process,
            Some(Scalar {
                text: b"GPU",
                quoted: true
            })
        );
        assert_eq!(event.args, Some(&b"{\"a\": [1, {\"b\": \"}\"}]}"[..]));
    }

    #[test]
    fn cuts_and_oddities_are_told_apart() {
        assert_eq!(read(br#"{"ph": "X", "na"#, 0), Reading::CutOff);
        assert_eq!(read(br#"{"ph": "X", "name": "a\"b"}"#, 0), Reading::Odd);
        assert_eq!(read(br#"{"ph": "X", "ts": NaN}"#, 0), Reading::Odd);
        assert_eq!(read(br#"{"ph": "X", "ph": "M"}"#, 0), Reading::Odd);
        assert!(matches!(
            read(b"{ }", 0),
            Reading::Event(Event { is_empty: true, .. }, 3)
        ));
    }
}
