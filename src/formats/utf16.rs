//! UTF-16 text, as a redirect in `PowerShell` writes it, read as UTF-8.

use std::io::{self, BufRead, Read};

use super::inflate::Tally;
use super::intake::Intake;
use super::source_error::NoteKind;

/// UTF-16 text with a byte order mark, read as UTF-8. A half pair becomes U+FFFD and is noted.
pub(super) struct Utf16<'r> {
    inner: Tally<'r>,
    big_endian: bool,
    high: Option<u16>,
    ready: Vec<u8>,
    given: usize,
    lone: Option<(u64, u64)>,
    intake: &'r Intake<'r>,
}

const UTF16_BLOCK: usize = 64 << 10;

impl<'r> Utf16<'r> {
    pub(super) fn new(inner: Box<dyn BufRead + 'r>, intake: &'r Intake<'r>) -> io::Result<Self> {
        let mut inner = Tally { inner, at: 0 };
        let mut mark = [0; 2];
        inner.read_exact(&mut mark)?;
        Ok(Self {
            inner,
            big_endian: mark == [0xfe, 0xff],
            high: None,
            ready: Vec::new(),
            given: 0,
            lone: None,
            intake,
        })
    }

    fn push(&mut self, unit: u16, at: u64) {
        let units = self.high.take().into_iter().chain([unit]);
        for decoded in char::decode_utf16(units) {
            let letter = match decoded {
                Ok(letter) => letter,
                Err(half) if half.unpaired_surrogate() == unit && unit < 0xdc00 => {
                    self.high = Some(unit);
                    continue;
                }
                Err(_) => self.replace(at),
            };
            let mut utf8 = [0; 4];
            self.ready
                .extend_from_slice(letter.encode_utf8(&mut utf8).as_bytes());
        }
    }

    fn replace(&mut self, at: u64) -> char {
        let (count, first) = self.lone.unwrap_or((0, at));
        self.lone = Some((count + 1, first));
        char::REPLACEMENT_CHARACTER
    }

    /// Returns false at the end of the text.
    fn refill(&mut self) -> io::Result<bool> {
        self.ready.clear();
        self.given = 0;
        let start = self.inner.at;
        let mut block = Vec::with_capacity(UTF16_BLOCK);
        Read::by_ref(&mut self.inner)
            .take(UTF16_BLOCK as u64)
            .read_to_end(&mut block)?;
        let (pairs, odd) = block.as_chunks::<2>();
        for (pair, at) in pairs.iter().zip((start..).step_by(2)) {
            let unit = if self.big_endian {
                u16::from_be_bytes(*pair)
            } else {
                u16::from_le_bytes(*pair)
            };
            self.push(unit, at);
        }
        let is_end = block.len() < UTF16_BLOCK;
        if is_end && (!odd.is_empty() || self.high.take().is_some()) {
            let letter = self.replace(self.inner.at);
            let mut utf8 = [0; 4];
            self.ready
                .extend_from_slice(letter.encode_utf8(&mut utf8).as_bytes());
        }
        if is_end && let Some((count, at)) = self.lone.take() {
            self.intake.note(NoteKind::LoneSurrogate, count, at);
        }
        Ok(!self.ready.is_empty())
    }
}

impl Read for Utf16<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() && !self.refill()? {
            return Ok(0);
        }
        let bytes = self.ready.get(self.given..).unwrap_or_default().read(out)?;
        self.given += bytes;
        Ok(bytes)
    }
}
