//! Walks the members of zip and tar archives: passes over folders, refuses what is unsafe, locked or no file, and hands
//! the rest to the unpacker one by one. Works on streams; a tar is never seen whole.

use std::io::{self, BufRead, Read, Seek};

use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;
use zip::result::ZipError;

use super::intake::Intake;
use super::source_error::{NoteKind, SourceError, WhyIgnored};
use super::tape::{Behind, Tape};
use super::unpack::{Place, Unpacker, buffered};

impl Unpacker<'_> {
    /// Offers each member of a zip archive. Also called for a zip file itself, which is read where it lies.
    pub(super) fn zip<R: Read + Seek>(
        &mut self,
        mut reader: R,
        place: &Place,
    ) -> Result<(), SourceError> {
        let mut archive = match ZipArchive::new(&mut reader) {
            Ok(archive) => archive,
            Err(error) => {
                return if self.zip_without_directory(&mut reader, place)? {
                    Ok(())
                } else {
                    self.zip_error(error, place)
                };
            }
        };
        for index in 0..archive.len() {
            let listed = archive.name_for_index(index).map(str::to_owned);
            let (name, why) = match archive.by_index_raw(index) {
                Ok(member) if member.is_dir() => continue,
                Ok(member) => (member.name().to_owned(), refusal_of(&member)),
                Err(error) => {
                    let name = listed.unwrap_or_else(|| format!("member {index}"));
                    self.zip_error(error, &place.inside(&name))?;
                    continue;
                }
            };
            let place = place.inside(&name);
            if let Some(why) = why {
                self.ignore(place.member.unwrap_or(name), why);
                continue;
            }
            match archive.by_index(index) {
                Ok(member) => self.take(buffered(Metered(member, self.intake)), &place)?,
                Err(error) => self.zip_error(error, &place)?,
            }
        }
        Ok(())
    }

    /// Offers the members one after another, as far as they go: the directory stands at the end, which
    /// a cut takes off. Tells if any was taken.
    fn zip_without_directory<R: Read + Seek>(
        &mut self,
        reader: &mut R,
        place: &Place,
    ) -> Result<bool, SourceError> {
        let intake = self.intake;
        let before = self.documents.len();
        reader.rewind().map_err(|it| intake.read_error(it))?;
        while let Ok(Some(member)) = read_zipfile_from_stream(reader) {
            if member.is_dir() {
                continue;
            }
            let name = member.name().to_owned();
            let place = place.inside(&name);
            match refusal_of(&member) {
                Some(why) => self.ignore(place.member.unwrap_or(name), why),
                None => self.take(buffered(Metered(member, intake)), &place)?,
            }
        }
        if intake.is_stopped() {
            return Err(intake.read_error(io::Error::other("stopped")));
        }
        if self.documents.len() == before {
            return Ok(false);
        }
        if !self
            .documents
            .iter()
            .skip(before)
            .any(|it| !it.notes.is_empty())
        {
            intake.note(NoteKind::DamagedArchive, 1, intake.consumed());
        }
        self.end_of_tape()?;
        Ok(true)
    }

    fn zip_error(&mut self, error: ZipError, place: &Place) -> Result<(), SourceError> {
        let source = match error {
            ZipError::Io(error) if self.intake.is_stopped() || error.raw_os_error().is_some() => {
                return Err(self.intake.read_error(error));
            }
            other => other,
        };
        let Some(name) = place.member.clone() else {
            let path = self.intake.path().to_path_buf();
            return Err(SourceError::Zip { source, path });
        };
        let why = match source {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => WhyIgnored::Encrypted,
            ZipError::UnsupportedArchive(what) => WhyIgnored::Packing(what),
            _ => WhyIgnored::Damaged,
        };
        self.ignore(name, why);
        Ok(())
    }

    pub(super) fn tar(
        &mut self,
        reader: Box<dyn BufRead + '_>,
        place: &Place,
    ) -> Result<(), SourceError> {
        let mut tape = Tape::new(reader);
        loop {
            let mut archive = tar::Archive::new(tape);
            let Some(error) = self.tar_members(&mut archive, place)? else {
                break;
            };
            tape = archive.into_inner();
            if self.intake.is_stopped() || error.raw_os_error().is_some() {
                return Err(self.intake.read_error(error));
            }
            let name = tape.name();
            let behind = match tape.find_header() {
                Ok(behind) => behind,
                Err(error) => {
                    self.survive(error)?;
                    Behind::Nothing
                }
            };
            if behind == Behind::Nothing {
                self.survive(error)?;
                break;
            }
            // The header is what is damaged: nobody knows where its member ends.
            let name = name.unwrap_or_else(|| "a member without a readable name".to_owned());
            let place = place.inside(&name);
            self.ignore(place.member.unwrap_or(name), WhyIgnored::Damaged);
            if behind == Behind::Rest {
                break;
            }
        }
        self.end_of_tape()
    }

    /// Offers each member up to the end, or up to the fault that is returned.
    fn tar_members<R: Read>(
        &mut self,
        archive: &mut tar::Archive<R>,
        place: &Place,
    ) -> Result<Option<io::Error>, SourceError> {
        let intake = self.intake;
        let entries = archive.entries().map_err(|it| intake.read_error(it))?;
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return Ok(Some(error)),
            };
            let kind = entry.header().entry_type();
            if kind.is_dir() {
                continue;
            }
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let place = place.inside(&name);
            if is_unsafe(&name) {
                self.ignore(place.member.unwrap_or(name), WhyIgnored::UnsafePath);
            } else if !(kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse()) {
                self.ignore(place.member.unwrap_or(name), WhyIgnored::NotAFile);
            } else {
                let left = entry.size();
                self.take(
                    buffered(Promised {
                        inner: entry,
                        left,
                        intake,
                    }),
                    &place,
                )?;
            }
        }
        Ok(None)
    }

    /// A fault between the members belongs to the last of them.
    fn end_of_tape(&mut self) -> Result<(), SourceError> {
        let intake = self.intake;
        if let Some(last) = self.documents.last_mut() {
            last.notes.extend(intake.take_notes());
            return Ok(());
        }
        if intake.has_notes() && self.ignored.is_empty() {
            return Err(SourceError::NothingInside {
                at: intake.consumed(),
                path: intake.path().to_path_buf(),
            });
        }
        Ok(())
    }
}

fn refusal_of<R: Read>(member: &zip::read::ZipFile<'_, R>) -> Option<WhyIgnored> {
    if is_unsafe(member.name()) {
        Some(WhyIgnored::UnsafePath)
    } else if member.encrypted() {
        Some(WhyIgnored::Encrypted)
    } else if member.is_symlink() {
        Some(WhyIgnored::NotAFile)
    } else {
        None
    }
}

/// Absolute, with a drive letter, or climbing: nothing is written under this name, but nobody packs so by accident.
fn is_unsafe(name: &str) -> bool {
    let is_absolute = name.starts_with(['/', '\\']);
    let has_drive = name.as_bytes().get(1) == Some(&b':')
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    is_absolute || has_drive || name.contains('\0') || name.split(['/', '\\']).any(|it| it == "..")
}

/// A zip member behind the gate: its bytes count as unpacked.
struct Metered<'r, R>(R, &'r Intake<'r>);

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.read(out)?;
        self.1.inflated(bytes)?;
        Ok(bytes)
    }
}

/// A tar member, of which the header says how long it is.
struct Promised<'r, R> {
    inner: R,
    left: u64,
    intake: &'r Intake<'r>,
}

impl<R: Read> Read for Promised<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(out)?;
        self.left = self.left.saturating_sub(bytes as u64);
        let is_short = bytes == 0 && !out.is_empty() && self.left > 0;
        if is_short && !self.intake.has_notes() {
            self.intake
                .note(NoteKind::DamagedArchive, 1, self.intake.consumed());
        }
        Ok(bytes)
    }
}
