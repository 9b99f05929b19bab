//! A tar stream that can be read on behind a damaged header: it remembers the header read last, and
//! finds the next block that is one.

use std::io::{self, Read};

const BLOCK_BYTES: usize = 512;
/// Where the checksum of a header stands, and the bytes of a name.
const CHECKSUM: std::ops::Range<usize> = 148..156;
const NAME_BYTES: usize = 100;

pub(super) struct Tape<R> {
    inner: R,
    /// The block read last, and how much of it there was.
    block: [u8; BLOCK_BYTES],
    length: usize,
    /// The block is still to be given out.
    is_ahead: bool,
}

/// What lies behind a damaged header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// A sound header, which is read next.
    Header,
    /// Other bytes, and no header any more.
    Rest,
    Nothing,
}

impl<R: Read> Tape<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            block: [0; BLOCK_BYTES],
            length: 0,
            is_ahead: false,
        }
    }

    /// The name in the header read last, if a person could have given it.
    pub(super) fn name(&self) -> Option<String> {
        let field = self.block.get(..NAME_BYTES)?;
        let length = memchr::memchr(0, field).unwrap_or(NAME_BYTES);
        let name = std::str::from_utf8(field.get(..length)?).ok()?;
        let is_sound = !name.is_empty() && !name.chars().any(char::is_control);
        is_sound.then(|| name.to_owned())
    }

    /// Passes over everything up to the next header.
    pub(super) fn find_header(&mut self) -> io::Result<Behind> {
        let mut behind = Behind::Nothing;
        while self.next_block()? == BLOCK_BYTES {
            if is_header(&self.block) {
                self.is_ahead = true;
                return Ok(Behind::Header);
            }
            behind = Behind::Rest;
        }
        Ok(behind)
    }

    fn next_block(&mut self) -> io::Result<usize> {
        self.length = 0;
        while let Some(rest) = self
            .block
            .get_mut(self.length..)
            .filter(|it| !it.is_empty())
        {
            match self.inner.read(rest) {
                Ok(0) => break,
                Ok(bytes) => self.length += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.length)
    }
}

impl<R: Read> Read for Tape<R> {
    /// Headers are asked for in whole blocks.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.len() != BLOCK_BYTES {
            return self.inner.read(out);
        }
        if !std::mem::take(&mut self.is_ahead) {
            self.next_block()?;
        }
        let read = self.block.get(..self.length).unwrap_or_default();
        if let Some(out) = out.get_mut(..read.len()) {
            out.copy_from_slice(read);
        }
        Ok(read.len())
    }
}

fn is_header(block: &[u8; BLOCK_BYTES]) -> bool {
    let sum =
        |(at, byte): (usize, &u8)| u32::from(if CHECKSUM.contains(&at) { b' ' } else { *byte });
    let written = tar::Header::from_byte_slice(block).cksum();
    let counted: u32 = block.iter().enumerate().map(sum).sum();
    block.get(257..262) == Some(b"ustar") && written.ok() == Some(counted)
}
