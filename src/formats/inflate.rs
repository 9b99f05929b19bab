//! Packed bytes in, plain bytes out: gzip with several members, zstd with several frames.
//! A stream that ends early or breaks is no error here: what came out is kept, and a note says where it stopped.

use std::cell::Cell;
use std::io::{self, BufRead, ErrorKind, Read};
use std::rc::Rc;

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::intake::Intake;
use super::source_error::NoteKind;

/// A reader that knows how far it has come.
pub(super) struct Tally<'r> {
    pub(super) inner: Box<dyn BufRead + 'r>,
    pub(super) at: u64,
}

impl Read for Tally<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(out)?;
        self.at += bytes as u64;
        Ok(bytes)
    }
}

impl BufRead for Tally<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes as u64;
        self.inner.consume(bytes);
    }
}

/// A fault of the bytes, not of the disk and not our own stop.
fn is_damage(error: &io::Error, intake: &Intake<'_>) -> bool {
    !intake.is_stopped() && error.raw_os_error().is_none() && error.kind() != ErrorKind::Interrupted
}

/// All members of a gzip file, one after another.
pub(super) struct GzMembers<'r> {
    member: Option<GzDecoder<Tally<'r>>>,
    count: Rc<Cell<u32>>,
    intake: &'r Intake<'r>,
}

impl<'r> GzMembers<'r> {
    pub(super) fn new(
        inner: Box<dyn BufRead + 'r>,
        count: Rc<Cell<u32>>,
        intake: &'r Intake<'r>,
    ) -> Self {
        count.set(1);
        let member = Some(GzDecoder::new(Tally { inner, at: 0 }));
        Self {
            member,
            count,
            intake,
        }
    }

    /// Zero bytes pad tapes and disk blocks; anything else behind the last member is noted.
    fn open_next(&mut self, mut rest: Tally<'r>) -> io::Result<()> {
        loop {
            let ahead = rest.fill_buf()?;
            let zeros = ahead.iter().take_while(|it| **it == 0).count();
            let (is_end, is_member) = match ahead.get(zeros..) {
                None | Some([]) => (ahead.is_empty(), false),
                Some([0x1f] | [0x1f, 0x8b, ..]) => (false, true),
                Some(_) => {
                    self.intake
                        .note(NoteKind::TrailingBytes, 1, rest.at + zeros as u64);
                    (true, false)
                }
            };
            if is_end {
                return Ok(());
            }
            rest.consume(zeros);
            if is_member {
                self.count.set(self.count.get().saturating_add(1));
                self.member = Some(GzDecoder::new(rest));
                return Ok(());
            }
        }
    }
}

impl Read for GzMembers<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            match member.read(out) {
                Ok(0) => {
                    if let Some(done) = self.member.take() {
                        self.open_next(done.into_inner())?;
                    }
                }
                Ok(bytes) => {
                    self.intake.inflated(bytes)?;
                    return Ok(bytes);
                }
                Err(error) if is_damage(&error, self.intake) => {
                    let kind = match error.kind() {
                        ErrorKind::UnexpectedEof => NoteKind::TruncatedGzip,
                        _ => NoteKind::DamagedGzip,
                    };
                    self.intake.note(kind, 1, member.get_ref().at);
                    self.member = None;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(0)
    }
}

/// All frames of a zstd file, one after another.
pub(super) struct ZstdFrames<'r> {
    inner: Tally<'r>,
    decoder: FrameDecoder,
    state: ZstdState,
    intake: &'r Intake<'r>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ZstdState {
    BetweenFrames,
    InFrame,
    Broken,
}

/// An empty last block and room for a checksum: closes a frame that was cut off, which makes the decoder hand out the
/// window of bytes that it holds back until a frame ends.
const CLOSING_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl<'r> ZstdFrames<'r> {
    pub(super) fn new(inner: Box<dyn BufRead + 'r>, intake: &'r Intake<'r>) -> Self {
        Self {
            inner: Tally { inner, at: 0 },
            decoder: FrameDecoder::new(),
            state: ZstdState::BetweenFrames,
            intake,
        }
    }

    /// Returns whether there is a further frame.
    fn open_next(&mut self) -> io::Result<bool> {
        while !self.inner.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.inner) {
                Ok(()) => {
                    self.state = ZstdState::InFrame;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(
                        &mut Read::by_ref(&mut self.inner).take(u64::from(length)),
                        &mut io::sink(),
                    )?;
                }
                Err(error) => {
                    self.break_off(error)?;
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    fn break_off(&mut self, error: FrameDecoderError) -> io::Result<()> {
        if self.intake.is_stopped() {
            return Err(io::Error::other(error));
        }
        let kind = if self.inner.fill_buf()?.is_empty() {
            NoteKind::TruncatedZstd
        } else {
            NoteKind::DamagedZstd
        };
        self.intake.note(kind, 1, self.inner.at);
        self.state = ZstdState::Broken;
        Ok(())
    }

    fn decode(&mut self, wanted: usize) -> io::Result<()> {
        while self.decoder.can_collect() < wanted && !self.decoder.is_finished() {
            let more = BlockDecodingStrategy::UptoBytes(wanted - self.decoder.can_collect());
            if let Err(error) = self.decoder.decode_blocks(&mut self.inner, more) {
                self.break_off(error)?;
                if !self.decoder.is_finished() {
                    self.decoder
                        .decode_blocks(CLOSING_BLOCK.as_slice(), BlockDecodingStrategy::All)
                        .map_err(io::Error::other)?;
                }
            }
        }
        Ok(())
    }
}

impl Read for ZstdFrames<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.state == ZstdState::BetweenFrames && !self.open_next()? {
                return Ok(0);
            }
            if self.state == ZstdState::InFrame {
                self.decode(out.len())?;
            }
            let bytes = self.decoder.read(out)?;
            if bytes > 0 {
                self.intake.inflated(bytes)?;
                return Ok(bytes);
            }
            if self.state == ZstdState::Broken || out.is_empty() {
                return Ok(0);
            }
            self.state = ZstdState::BetweenFrames;
        }
    }
}
