//! Why a file could not be taken in, what was mended on the way, and which members of an archive were left out.

use std::path::PathBuf;

use crate::base::Cancelled;
use crate::model::Issue;

use super::sniff::Content;

/// Why nothing of a file could be taken in. The path stands last.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("there is no such file: {path}")]
    Missing { path: PathBuf },
    #[error("the file may not be read by you, ask its owner for permission: {path}")]
    Denied { path: PathBuf },
    #[error("this is a folder where a file was expected: {path}")]
    Folder { path: PathBuf },
    #[error("this is {what} and not a file, save its content to a file and open that: {path}")]
    NotAFile { what: &'static str, path: PathBuf },
    #[error("the file is empty, record the trace again: {path}")]
    Empty { path: PathBuf },
    #[error("the file holds {bytes} bytes, more than the 2^40 that can be read: {path}")]
    TooLarge { bytes: u64, path: PathBuf },
    #[error("reading stopped at byte {at}, {source}: {path}")]
    Unreadable {
        at: u64,
        source: std::io::Error,
        path: PathBuf,
    },
    #[error(
        "the file changed while it was read ({then} bytes before, {now} bytes now), open it again once it is written: {path}"
    )]
    Changed { then: u64, now: u64, path: PathBuf },
    #[error(
        "the file unpacks to more than 200 times its size and was refused at byte {at} after {inflated} bytes had come out: {path}"
    )]
    SizeLimit {
        at: u64,
        inflated: u64,
        path: PathBuf,
    },
    #[error(
        "the disk of the temporary folder has less than 1 GiB left after {stored} bytes were written to it; make room or set TMPDIR to another disk: {path}"
    )]
    TemporaryFull { stored: u64, path: PathBuf },
    #[error("nothing can be unpacked from the file, it is damaged or cut off at byte {at}: {path}")]
    NothingInside { at: u64, path: PathBuf },
    #[error(
        "archives lie inside archives more than {layers} deep, unpack the outer ones first: {path}"
    )]
    TooDeep { layers: u8, path: PathBuf },
    #[error("the zip archive cannot be read, it may be cut off ({source}): {path}")]
    Zip {
        source: zip::result::ZipError,
        path: PathBuf,
    },
    /// No fault: not to be shown.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl SourceError {
    /// The word of the closed list of warning kinds, where one fits.
    pub const fn kind(&self) -> Option<&'static str> {
        match self {
            Self::SizeLimit { .. } => Some("size-limit"),
            Self::TooDeep { .. } => Some("depth-limit"),
            Self::Zip { .. } | Self::NothingInside { .. } | Self::Empty { .. } => {
                Some("unsupported-format")
            }
            _ => None,
        }
    }
}

/// A kind of thing that was mended or cut off while unpacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    TruncatedGzip,
    DamagedGzip,
    TruncatedZstd,
    DamagedZstd,
    /// A tar archive ends early, or a member of a zip or tar archive does not unpack to its end.
    DamagedArchive,
    /// Bytes behind the last gzip member that are neither zero nor gzip.
    TrailingBytes,
    /// Halves of UTF-16 pairs that stand alone.
    LoneSurrogate,
}

impl NoteKind {
    /// The issue under which the note is counted.
    pub const fn issue(self) -> Issue {
        match self {
            Self::TruncatedGzip => Issue::TruncatedGzip,
            Self::DamagedGzip => Issue::DamagedGzip,
            Self::TruncatedZstd => Issue::TruncatedZstd,
            Self::DamagedZstd => Issue::DamagedZstd,
            Self::DamagedArchive => Issue::DamagedArchive,
            Self::TrailingBytes => Issue::TrailingBytes,
            Self::LoneSurrogate => Issue::LoneSurrogate,
        }
    }
}

/// Something that was mended or cut off while unpacking one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceNote {
    pub kind: NoteKind,
    pub count: u64,
    /// First place, in bytes of the packed stream (gzip, zstd) or of the file on disk (zip, tar).
    pub at: u64,
}

/// A member of an archive that did not become a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// `archive.zip › member`
    pub name: String,
    pub why: WhyIgnored,
}

/// Why a member did not become a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WhyIgnored {
    #[error("{}", .0.advice())]
    NotATrace(Content),
    #[error("its name points outside of the archive, so it was refused")]
    UnsafePath,
    #[error(
        "it is locked with a password; unpack the archive with the password and open what comes out"
    )]
    Encrypted,
    #[error(
        "it is packed in a way that is not read here ({0}); unpack the archive and open what comes out"
    )]
    Packing(&'static str),
    #[error("it is a link or a device and holds no bytes of its own")]
    NotAFile,
    #[error("archives lie too deep inside each other; unpack the outer ones first")]
    TooDeep,
    #[error("it is damaged and nothing of it can be unpacked")]
    Damaged,
}

impl WhyIgnored {
    /// The word of the closed list of warning kinds if the member was refused; `None` if it is only no trace.
    pub const fn kind(self) -> Option<&'static str> {
        match self {
            Self::NotATrace(_) | Self::NotAFile => None,
            Self::UnsafePath => Some("unsafe-path"),
            Self::TooDeep => Some("depth-limit"),
            Self::Encrypted | Self::Packing(_) | Self::Damaged => Some("unsupported-format"),
        }
    }
}
