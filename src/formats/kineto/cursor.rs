//! A place in the text of a file, and the steps over what stands there: white space, keys, texts,
//! numbers.
//!
//! Short texts and numbers are measured in vector registers, sixteen bytes at a time; what is longer
//! or at the end of the file goes a slower way that gives the same.

use memchr::memchr;
use wide::u8x16;

use crate::formats::kineto::skip::{Skipped, skip_plain};

/// A number or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scalar<'a> {
    pub(super) text: &'a [u8],
    pub(super) quoted: bool,
}

/// Ends reading early.
pub(super) enum Stop {
    Odd,
    CutOff,
}

/// Reads forward from `at`.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
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
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(Stop::CutOff),
            }
        }
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek()? != byte {
            return Err(Stop::Odd);
        }
        self.at += 1;
        Ok(())
    }

    /// The rest of a key whose first quote is behind.
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

    /// A text without its quotes, with its escapes. Whether it is plain is asked where it is used for
    /// the first time.
    #[inline]
    pub(super) fn text(&mut self, first: u8) -> Result<&'a [u8], Stop> {
        if first != b'"' {
            return Err(Stop::Odd);
        }
        let from = self.at + 1;
        let mut length = 0;
        loop {
            let rest = self.bytes.get(from + length..).unwrap_or_default();
            length += quote(rest).ok_or(Stop::CutOff)?;
            let text = self.bytes.get(from..from + length).unwrap_or_default();
            // A quote after a backslash is no end, unless that backslash is itself escaped.
            let slashes = text.iter().rev().take_while(|it| **it == b'\\').count();
            if slashes % 2 == 0 {
                self.at = from + length + 1;
                return Ok(text);
            }
            length += 1;
        }
    }

    /// A number or a plain text; `None` for a literal.
    #[inline]
    pub(super) fn scalar(&mut self, first: u8) -> Result<Option<Scalar<'a>>, Stop> {
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
        let length = number_length(rest);
        let ends = matches!(
            rest.get(length),
            None | Some(b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t')
        );
        if !ends || !matches!(first, b'-' | b'0'..=b'9') {
            return self.literal(from);
        }
        self.at = from + length;
        let text = rest.get(..length).unwrap_or_default();
        Ok(Some(Scalar {
            text,
            quoted: false,
        }))
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

    /// Passes over an object or a list.
    #[inline]
    pub(super) fn skip(&mut self) -> Result<IsFlat, Stop> {
        match skip_plain(self.bytes, self.at) {
            Skipped::Plain { end, is_flat } => {
                self.at = end;
                Ok(is_flat)
            }
            Skipped::Odd => Err(Stop::Odd),
            Skipped::CutOff => Err(Stop::CutOff),
        }
    }
}

/// Whether an object holds no other object.
pub(super) type IsFlat = bool;

/// Where the first quote stands. Most texts fit one register.
#[inline]
fn quote(rest: &[u8]) -> Option<usize> {
    if let Some(head) = rest.first_chunk() {
        let found = u8x16::new(*head).simd_eq(u8x16::splat(b'"')).to_bitmask();
        if found != 0 {
            return Some(found.trailing_zeros() as usize);
        }
    }
    memchr(b'"', rest)
}

/// How many bytes from here on are digits, points and signs, or stand for an exponent.
#[inline]
fn number_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some(block) = rest.get(length..).and_then(<[u8]>::first_chunk) {
        let block = u8x16::new(*block);
        // From minus to nine, without the slash.
        let above = block - u8x16::splat(b'-');
        let is_out = above.max(u8x16::splat(13)).simd_eq(above);
        let others = (is_out | block.simd_eq(u8x16::splat(b'/'))).to_bitmask();
        length += (others | 1 << 16).trailing_zeros() as usize;
        if others != 0 {
            break;
        }
    }
    let is_of_number = |it: &&u8| matches!(it, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
    let more = rest.get(length..).unwrap_or_default().iter();
    length + more.take_while(is_of_number).count()
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
    fn numbers_and_texts_are_measured_alike_wherever_the_file_ends() {
        for number in [
            "7",
            "-1.5e-3",
            "198093488368.463",
            "123456789012345678901234567890123456.5",
        ] {
            for behind in [
                ",",
                "}",
                " ",
                "/2",
                "x",
                ", and much more text behind the number",
            ] {
                let text = format!("{number}{behind}");
                assert_eq!(number_length(text.as_bytes()), number.len(), "{text}");
            }
        }
        for length in 0..70 {
            for behind in ["", "behind the text there is much more of it"] {
                let text = format!("{}\"{behind}", "y".repeat(length));
                assert_eq!(quote(text.as_bytes()), Some(length));
            }
        }
    }

    #[test]
    fn an_escaped_quote_does_not_end_a_text() {
        for (text, want) in [
            (&br#""a\"b""#[..], Some(&br#"a\"b"#[..])),
            (br#""a\\""#, Some(br"a\\")),
            (br#""a\\\"""#, Some(br#"a\\\""#)),
            (br#""a\""#, None),
        ] {
            let found = Cursor::new(text, 0).text(b'"').ok();
            assert_eq!(found, want);
        }
    }
}
