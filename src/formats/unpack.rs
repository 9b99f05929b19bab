//! From a packed file to its documents: peels gzip, zstd, tar, zip and UTF-16 in any order, a few layers deep, and
//! decides by content what is worth keeping. Nothing is ever written under a member's name: what is too large for
//! memory goes to a temporary file without a name. Members that are left out are listed with the reason.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _, Write as _};
use std::rc::Rc;

use tempfile::SpooledTempFile;

use super::inflate::{GzMembers, ZstdFrames};
use super::intake::Intake;
use super::sniff::{Content, HEAD_BYTES, guess_from_name, what_is_it};
use super::source_error::{Ignored, NoteKind, SourceError, SourceNote, WhyIgnored};
use super::utf16::Utf16;

/// `.zip › .tar › .gz` and one to spare; also ends archives that hold themselves.
const LAYERS_MAX: u8 = 4;
/// Smaller documents stay in memory.
const IN_MEMORY_BYTES: usize = 1 << 20;
const BLOCK_BYTES: usize = 256 << 10;
pub(super) const BUFFER_BYTES: usize = 64 << 10;

/// One document, unpacked.
pub(super) struct Unpacked {
    /// Path inside the archive; `None` if the file holds one document only.
    pub(super) member: Option<String>,
    pub(super) content: SpooledTempFile,
    pub(super) bytes: u64,
    pub(super) gzip_members: Option<u32>,
    pub(super) notes: Vec<SourceNote>,
}

/// Where in the archive we are.
#[derive(Clone, Default)]
pub(super) struct Place {
    pub(super) member: Option<String>,
    layers: u8,
    gzip: Option<Rc<Cell<u32>>>,
}

impl Place {
    fn deeper(&self, gzip: Option<Rc<Cell<u32>>>) -> Self {
        Self {
            member: self.member.clone(),
            layers: self.layers + 1,
            gzip,
        }
    }

    pub(super) fn inside(&self, name: &str) -> Self {
        let member = match &self.member {
            Some(outer) => format!("{outer} › {name}"),
            None => name.to_owned(),
        };
        Self {
            member: Some(member),
            layers: self.layers + 1,
            gzip: None,
        }
    }
}

pub(super) struct Unpacker<'a> {
    pub(super) intake: &'a Intake<'a>,
    pub(super) documents: Vec<Unpacked>,
    pub(super) ignored: Vec<Ignored>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(intake: &'a Intake<'a>) -> Self {
        Self {
            intake,
            documents: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Unpacks whatever the reader holds. Errors end the whole file; what is wrong with one member is listed.
    pub(super) fn take(
        &mut self,
        mut reader: Box<dyn BufRead + '_>,
        place: &Place,
    ) -> Result<(), SourceError> {
        let intake = self.intake;
        let mut head = Vec::with_capacity(HEAD_BYTES);
        if let Err(error) = Read::by_ref(&mut reader)
            .take(HEAD_BYTES as u64)
            .read_to_end(&mut head)
        {
            self.survive(error)?;
        }
        let content = what_is_it(&head);
        if content.is_wrapped() && place.layers >= LAYERS_MAX {
            return self.refuse_depth(place);
        }
        let whole = Box::new(Cursor::new(head).chain(reader));
        match content {
            Content::Gzip => {
                let count = Rc::new(Cell::new(0));
                let plain = GzMembers::new(whole, Rc::clone(&count), intake);
                self.take(buffered(plain), &place.deeper(Some(count)))
            }
            Content::Zstd => self.take(
                buffered(ZstdFrames::new(whole, intake)),
                &place.deeper(None),
            ),
            Content::Utf16 => {
                let text = Utf16::new(whole, intake).map_err(|it| intake.read_error(it))?;
                self.take(buffered(text), &place.deeper(place.gzip.clone()))
            }
            Content::Tar => self.tar(whole, place),
            Content::Zip => {
                let (mut content, _) = self.store(whole)?;
                content.rewind().map_err(|it| intake.read_error(it))?;
                self.zip(content, place)
            }
            _ => self.document(content, whole, place),
        }
    }

    fn document(
        &mut self,
        content: Content,
        reader: Box<dyn BufRead + '_>,
        place: &Place,
    ) -> Result<(), SourceError> {
        if let Some(name) = &place.member
            && !content.may_be_trace()
        {
            let damaged = content == Content::Empty && self.intake.has_notes();
            self.intake.take_notes();
            let why = if damaged {
                WhyIgnored::Damaged
            } else if content == Content::Unknown {
                WhyIgnored::NotATrace(guess_from_name(name).unwrap_or(content))
            } else {
                WhyIgnored::NotATrace(content)
            };
            self.ignore(name.clone(), why);
            return Ok(());
        }
        if content == Content::Empty {
            return Err(SourceError::NothingInside {
                at: self.intake.consumed(),
                path: self.intake.path().to_path_buf(),
            });
        }
        let (content, bytes) = self.store(reader)?;
        self.documents.push(Unpacked {
            member: place.member.clone(),
            content,
            bytes,
            gzip_members: place.gzip.as_ref().map(|it| it.get()),
            notes: self.intake.take_notes(),
        });
        Ok(())
    }

    fn store(
        &self,
        mut reader: Box<dyn BufRead + '_>,
    ) -> Result<(SpooledTempFile, u64), SourceError> {
        let mut content = SpooledTempFile::new(IN_MEMORY_BYTES);
        let mut block = vec![0; BLOCK_BYTES];
        let mut bytes = 0;
        loop {
            let read = match reader.read(&mut block) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.survive(error)?;
                    break;
                }
            };
            let block = block.get(..read).unwrap_or_default();
            let stored = self.intake.stores(read);
            stored
                .and_then(|()| content.write_all(block))
                .map_err(|it| self.intake.write_error(it))?;
            bytes += read as u64;
        }
        Ok((content, bytes))
    }

    /// A fault of the packed bytes (a wrong checksum, an early end) keeps what came out before it.
    pub(super) fn survive(&self, error: io::Error) -> Result<(), SourceError> {
        if self.intake.is_stopped() || error.raw_os_error().is_some() {
            return Err(self.intake.read_error(error));
        }
        if !self.intake.has_notes() {
            self.intake
                .note(NoteKind::DamagedArchive, 1, self.intake.consumed());
        }
        Ok(())
    }

    pub(super) fn ignore(&mut self, name: String, why: WhyIgnored) {
        self.ignored.push(Ignored { name, why });
    }

    fn refuse_depth(&mut self, place: &Place) -> Result<(), SourceError> {
        let Some(name) = place.member.clone() else {
            return Err(SourceError::TooDeep {
                layers: LAYERS_MAX,
                path: self.intake.path().to_path_buf(),
            });
        };
        self.ignore(name, WhyIgnored::TooDeep);
        Ok(())
    }
}

pub(super) fn buffered<'r>(reader: impl Read + 'r) -> Box<dyn BufRead + 'r> {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, reader))
}
