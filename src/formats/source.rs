//! The only door for bytes: opens a file, decides by content what it is, and hands out its documents.
//!
//! A plain file of 64 MiB or more is memory-mapped, and the operating system ends a program that touches a mapped page
//! which somebody has cut off meanwhile. What is done about it:
//! * Smaller files are read into memory, and packed ones into memory or a temporary file without a name. Nobody else
//!   can change those.
//! * A large file that was written to in the last ten seconds may still be growing or about to be rewritten, so it is
//!   copied to a temporary file without a name, and the copy is mapped.
//! * For a mapped file the door keeps a handle. `Source::check_unchanged` costs one system call: call it before an
//!   import, before each block of it, after it, and before a look at single events.
//!
//! What remains: a large file that lay still and is cut in the milliseconds between a check and a touch. To close that
//! too, one would copy every file, or catch a signal.
//!
//! The last GiB of the temporary disk is never filled: the file is refused, and its temporary one goes away.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memmap2::Mmap;
use tempfile::{SpooledData, SpooledTempFile};

use crate::base::Cancelled;

use super::intake::{FromDisk, Intake};
use super::sniff::{Content, HEAD_BYTES, guess_from_name, what_is_it, without_bom};
use super::source_error::{Ignored, SourceError, SourceNote};
use super::unpack::{BUFFER_BYTES, Place, Unpacked, Unpacker};

/// Byte offsets above this do not fit the columns.
const FILE_BYTES_MAX: u64 = 1 << 40;
/// Reading this much takes some 20 ms, mapping saves nothing a person would notice.
const MAPPED_FROM_BYTES: u64 = 64 << 20;
const SETTLED_AFTER: Duration = Duration::from_secs(10);

/// What was found in one file.
#[derive(Debug)]
pub struct Opened {
    /// One for a plain or packed file, several for an archive, none for an archive without anything that could be a
    /// trace.
    pub sources: Vec<Source>,
    pub ignored: Vec<Ignored>,
}

/// The bytes of one document, for as long as it is open.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    member: Option<String>,
    bytes: Bytes,
    /// Length of the byte order mark.
    skipped: usize,
    input_bytes: u64,
    inflated_bytes: Option<u64>,
    gzip_members: Option<u32>,
    notes: Vec<SourceNote>,
    watch: Option<Watch>,
}

#[derive(Debug)]
enum Bytes {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

/// A file that is mapped where it lies, and what it looked like then.
#[derive(Debug)]
struct Watch {
    file: File,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Source {
    /// The document, unpacked, as UTF-8 without byte order mark. Byte offsets count from here.
    pub fn bytes(&self) -> &[u8] {
        let all: &[u8] = match &self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped(bytes) => bytes,
        };
        all.get(self.skipped..).unwrap_or_default()
    }

    /// For people: the file's name, or `archive.zip › member.json`.
    pub fn name(&self) -> String {
        shown_name(&self.path, self.member.as_deref())
    }

    /// The last part of the member's or the file's own name, as rank numbers are read from it.
    pub fn file_name(&self) -> String {
        match &self.member {
            Some(member) => {
                let inner = member.rsplit(" › ").next().unwrap_or(member);
                inner.rsplit('/').next().unwrap_or(inner).to_owned()
            }
            None => shown_name(&self.path, None),
        }
    }

    /// The file on disk that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path inside the archive, for one of several documents of a file.
    pub fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// Size of the file on disk, packed as it lies there.
    pub fn input_bytes(&self) -> u64 {
        self.input_bytes
    }

    /// Size after unpacking; `None` if nothing had to be unpacked.
    pub fn inflated_bytes(&self) -> Option<u64> {
        self.inflated_bytes
    }

    /// Number of gzip members this document was joined from; `None` if it was not gzip.
    pub fn gzip_members(&self) -> Option<u32> {
        self.gzip_members
    }

    /// What was mended or cut off while unpacking.
    pub fn notes(&self) -> &[SourceNote] {
        &self.notes
    }

    /// What the bytes are; where they say nothing, what the ending claims.
    pub fn content(&self) -> Content {
        let bytes = self.bytes();
        match what_is_it(bytes.get(..HEAD_BYTES).unwrap_or(bytes)) {
            Content::Unknown => guess_from_name(&self.file_name()).unwrap_or(Content::Unknown),
            content => content,
        }
    }

    /// Fails if the file was written to since it was opened and its bytes are mapped where they lie. Reading on would
    /// give nonsense or end the program.
    pub fn check_unchanged(&self) -> Result<(), SourceError> {
        let Some(watch) = &self.watch else {
            return Ok(());
        };
        let now = watch.file.metadata();
        let now = now.map_err(|source| read_error(&self.path, source))?;
        unchanged(&self.path, watch.bytes, watch.modified, &now)
    }
}

/// Opens a file and takes out its documents. `progress` hears how many bytes of the file have been read, at least once
/// for each MiB that goes in or comes out, and may cancel. A file that is mapped is not read here and reports nothing.
pub fn open(
    path: &Path,
    progress: &dyn Fn(u64) -> Result<(), Cancelled>,
) -> Result<Opened, SourceError> {
    open_with(path, progress, &Limits::default())
}

/// What a test sets, so that it need not write 64 MiB or fill a disk.
pub(super) struct Limits {
    /// Size from which files are mapped.
    pub(super) mapped_from: u64,
    /// Free bytes on the disk of the temporary folder.
    pub(super) free_bytes: fn() -> Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            mapped_from: MAPPED_FROM_BYTES,
            free_bytes: || fs4::available_space(tempfile::env::temp_dir()).ok(),
        }
    }
}

/// `open` within given limits.
pub(super) fn open_with(
    path: &Path,
    progress: &dyn Fn(u64) -> Result<(), Cancelled>,
    limits: &Limits,
) -> Result<Opened, SourceError> {
    progress(0)?;
    let (mut file, before) = open_file(path)?;
    let modified = before.modified().ok();
    let head = read_head(&mut file).map_err(|it| read_error(path, it))?;
    let intake = Intake::new(path, before.len(), progress, limits.free_bytes);
    let content = what_is_it(&head);
    let opened = if content.is_wrapped() {
        unpack(&file, content, &intake)?
    } else {
        let is_settled = modified
            .and_then(|it| it.elapsed().ok())
            .is_some_and(|age| age >= SETTLED_AFTER);
        let (bytes, watched) = if before.len() < limits.mapped_from {
            (read_whole(&file, &intake)?, false)
        } else if is_settled {
            (map(&file).map_err(|it| read_error(path, it))?, true)
        } else {
            (copy_and_map(&file, &intake)?, false)
        };
        let mut source = source_of(path, bytes, before.len());
        if watched {
            let file = file.try_clone().map_err(|it| read_error(path, it))?;
            source.watch = Some(Watch {
                file,
                bytes: before.len(),
                modified,
            });
        }
        Opened {
            sources: vec![source],
            ignored: Vec::new(),
        }
    };
    let now = file.metadata().map_err(|it| read_error(path, it))?;
    unchanged(path, before.len(), modified, &now)?;
    Ok(opened)
}

/// A pipe or a device could make us wait forever, so the kind is looked at before the file is opened.
fn open_file(path: &Path) -> Result<(File, Metadata), SourceError> {
    let fault = |source| read_error(path, source);
    let kind = path.metadata().map_err(fault)?;
    if kind.is_dir() {
        return Err(SourceError::Folder {
            path: path.to_path_buf(),
        });
    }
    if !kind.is_file() {
        return Err(SourceError::NotAFile {
            what: "a pipe, a socket or a device",
            path: path.to_path_buf(),
        });
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place where files are opened"
    )]
    let file = File::open(path).map_err(fault)?;
    let metadata = file.metadata().map_err(fault)?;
    let (bytes, path) = (metadata.len(), path.to_path_buf());
    match bytes {
        0 => Err(SourceError::Empty { path }),
        1..=FILE_BYTES_MAX => Ok((file, metadata)),
        _ => Err(SourceError::TooLarge { bytes, path }),
    }
}

fn read_head(file: &mut File) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    Read::by_ref(file)
        .take(HEAD_BYTES as u64)
        .read_to_end(&mut head)?;
    file.rewind()?;
    Ok(head)
}

fn unpack(file: &File, content: Content, intake: &Intake<'_>) -> Result<Opened, SourceError> {
    let mut unpacker = Unpacker::new(intake);
    let reader = BufReader::with_capacity(BUFFER_BYTES, FromDisk::new(file, intake));
    let place = Place::default();
    if content == Content::Zip {
        unpacker.zip(reader, &place)?;
    } else {
        unpacker.take(Box::new(reader), &place)?;
    }
    let Unpacker {
        documents, ignored, ..
    } = unpacker;
    let sources = documents
        .into_iter()
        .map(|it| source_of_unpacked(it, intake))
        .collect::<Result<_, _>>()?;
    let ignored = ignored
        .into_iter()
        .map(|it| Ignored {
            name: shown_name(intake.path(), Some(&it.name)),
            ..it
        })
        .collect();
    Ok(Opened { sources, ignored })
}

fn source_of_unpacked(it: Unpacked, intake: &Intake<'_>) -> Result<Source, SourceError> {
    let bytes = bytes_of(it.content).map_err(|error| intake.read_error(error))?;
    let mut source = source_of(intake.path(), bytes, intake.input_bytes());
    source.member = it.member;
    source.inflated_bytes = Some(it.bytes);
    source.gzip_members = it.gzip_members;
    source.notes = it.notes;
    Ok(source)
}

fn source_of(path: &Path, bytes: Bytes, input_bytes: u64) -> Source {
    let mut source = Source {
        path: path.to_path_buf(),
        member: None,
        bytes,
        skipped: 0,
        input_bytes,
        inflated_bytes: None,
        gzip_members: None,
        notes: Vec::new(),
        watch: None,
    };
    let all = source.bytes();
    source.skipped = all.len() - without_bom(all).len();
    source
}

fn read_whole(file: &File, intake: &Intake<'_>) -> Result<Bytes, SourceError> {
    let size = usize::try_from(intake.input_bytes()).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size);
    let mut reader = FromDisk::new(file, intake).take(intake.input_bytes());
    loop {
        let read = Read::by_ref(&mut reader)
            .take(1 << 20)
            .read_to_end(&mut bytes);
        if read.map_err(|it| intake.read_error(it))? == 0 {
            return Ok(Bytes::Memory(bytes));
        }
    }
}

fn copy_and_map(file: &File, intake: &Intake<'_>) -> Result<Bytes, SourceError> {
    let mut copy = SpooledTempFile::new(0);
    let mut reader = FromDisk::new(file, intake).take(intake.input_bytes());
    let mut block = vec![0; 1 << 20];
    loop {
        let read = match reader.read(&mut block) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(intake.read_error(error)),
        };
        let block = block.get(..read).unwrap_or_default();
        let stored = intake.stores(read);
        stored
            .and_then(|()| copy.write_all(block))
            .map_err(|it| intake.write_error(it))?;
    }
    bytes_of(copy).map_err(|it| intake.read_error(it))
}

fn bytes_of(content: SpooledTempFile) -> io::Result<Bytes> {
    match content.into_inner() {
        SpooledData::InMemory(bytes) => Ok(Bytes::Memory(bytes.into_inner())),
        SpooledData::OnDisk(file) => map(&file),
    }
}

#[expect(unsafe_code, reason = "memory-mapping a file has no safe form")]
fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: the mapping is read only. Either the file is a temporary one without a name, which nobody else can
    // change, or its size and time are watched as the head of this file says, which leaves the risk stated there.
    let bytes = unsafe { Mmap::map(file) }?;
    Ok(Bytes::Mapped(bytes))
}

fn unchanged(
    path: &Path,
    bytes: u64,
    modified: Option<SystemTime>,
    now: &Metadata,
) -> Result<(), SourceError> {
    if now.len() == bytes && now.modified().ok() == modified {
        return Ok(());
    }
    Err(SourceError::Changed {
        then: bytes,
        now: now.len(),
        path: path.to_path_buf(),
    })
}

fn read_error(path: &Path, source: io::Error) -> SourceError {
    let path = path.to_path_buf();
    match source.kind() {
        io::ErrorKind::NotFound => SourceError::Missing { path },
        io::ErrorKind::PermissionDenied => SourceError::Denied { path },
        _ => SourceError::Unreadable {
            at: 0,
            source,
            path,
        },
    }
}

fn shown_name(path: &Path, member: Option<&str>) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    match member {
        Some(member) => format!("{file} › {member}"),
        None => file.into_owned(),
    }
}
