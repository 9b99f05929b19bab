//! The toll gate through which all packed bytes pass: counts what came from disk and what came out of it, reports
//! progress, stops on a cancel, and refuses what grows beyond its size (a "bomb"). Knows no format.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::base::Cancelled;

use super::source_error::{NoteKind, SourceError, SourceNote};

/// Deflate cannot do more than 1032:1 and real traces stay under 40:1.
const RATIO_MAX: u64 = 200;
/// What may come out of any file, however small: short files of equal events pack far better than 200:1.
const FREE_BYTES: u64 = 64 << 20;

/// What is left free on the disk of the temporary folder.
const RESERVED_BYTES: u64 = 1 << 30;
/// How often that disk is asked for its free space while bytes are written to it.
const ROOM_EVERY_BYTES: u64 = 8 << 20;

/// How often the progress function is asked while bytes come out without any going in.
const ASK_EVERY_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy)]
enum Stop {
    Cancelled,
    SizeLimit,
    TemporaryFull,
}

pub(super) struct Intake<'a> {
    path: &'a Path,
    progress: &'a dyn Fn(u64) -> Result<(), Cancelled>,
    input_bytes: u64,
    consumed: Cell<u64>,
    inflated: Cell<u64>,
    asked_at: Cell<u64>,
    stored: Cell<u64>,
    // Free bytes on the disk of the temporary folder, if they can be known.
    free_bytes: fn() -> Option<u64>,
    // Why a read failed: libraries wrap our errors in their own, so the cause is kept here.
    stop: Cell<Option<Stop>>,
    notes: RefCell<Vec<SourceNote>>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(
        path: &'a Path,
        input_bytes: u64,
        progress: &'a dyn Fn(u64) -> Result<(), Cancelled>,
        free_bytes: fn() -> Option<u64>,
    ) -> Self {
        Self {
            path,
            progress,
            input_bytes,
            consumed: Cell::new(0),
            inflated: Cell::new(0),
            asked_at: Cell::new(0),
            stored: Cell::new(0),
            free_bytes,
            stop: Cell::new(None),
            notes: RefCell::default(),
        }
    }

    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    pub(super) fn input_bytes(&self) -> u64 {
        self.input_bytes
    }

    /// Bytes read from disk so far; never more than the file has, even if parts are read twice.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed.get().min(self.input_bytes)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.get().is_some()
    }

    /// Counts bytes that came from disk.
    fn read_from_disk(&self, bytes: usize) -> io::Result<()> {
        self.consumed.set(self.consumed.get() + bytes as u64);
        self.ask()
    }

    /// Counts bytes that came out of a decoder. Measured against what went in so far, so that a bomb is refused while
    /// it is small.
    pub(super) fn inflated(&self, bytes: usize) -> io::Result<()> {
        let inflated = self.inflated.get() + bytes as u64;
        self.inflated.set(inflated);
        if inflated > FREE_BYTES + RATIO_MAX.saturating_mul(self.consumed()) {
            return Err(self.stopped(Stop::SizeLimit));
        }
        if inflated - self.asked_at.get() >= ASK_EVERY_BYTES {
            self.asked_at.set(inflated);
            return self.ask();
        }
        Ok(())
    }

    /// Counts bytes that are about to go to the temporary folder, and stops before its disk is full.
    pub(super) fn stores(&self, bytes: usize) -> io::Result<()> {
        let before = self.stored.get();
        let stored = before + bytes as u64;
        self.stored.set(stored);
        let is_due = stored / ROOM_EVERY_BYTES > before / ROOM_EVERY_BYTES;
        if is_due && (self.free_bytes)().is_some_and(|it| it < RESERVED_BYTES) {
            return Err(self.stopped(Stop::TemporaryFull));
        }
        Ok(())
    }

    fn ask(&self) -> io::Result<()> {
        (self.progress)(self.consumed()).map_err(|Cancelled| self.stopped(Stop::Cancelled))
    }

    fn stopped(&self, stop: Stop) -> io::Error {
        self.stop.set(Some(stop));
        io::Error::other(Cancelled)
    }

    pub(super) fn note(&self, kind: NoteKind, count: u64, at: u64) {
        self.notes.borrow_mut().push(SourceNote { kind, count, at });
    }

    pub(super) fn has_notes(&self) -> bool {
        !self.notes.borrow().is_empty()
    }

    pub(super) fn take_notes(&self) -> Vec<SourceNote> {
        self.notes.take()
    }

    /// What a failed read means: the reason for which we stopped it, else the fault itself.
    pub(super) fn read_error(&self, source: io::Error) -> SourceError {
        let path = self.path.to_path_buf();
        let (at, inflated) = (self.consumed(), self.inflated.get());
        match self.stop.get() {
            Some(Stop::Cancelled) => SourceError::Cancelled(Cancelled),
            Some(Stop::SizeLimit) => SourceError::SizeLimit { at, inflated, path },
            Some(Stop::TemporaryFull) => {
                let stored = self.stored.get();
                SourceError::TemporaryFull { stored, path }
            }
            None => SourceError::Unreadable { at, source, path },
        }
    }

    /// What a failed write to the temporary file means.
    pub(super) fn write_error(&self, source: io::Error) -> SourceError {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge) {
            self.stop.set(Some(Stop::TemporaryFull));
        }
        self.read_error(source)
    }
}

/// The file itself, behind the gate.
pub(super) struct FromDisk<'a> {
    file: &'a File,
    intake: &'a Intake<'a>,
}

impl<'a> FromDisk<'a> {
    pub(super) fn new(file: &'a File, intake: &'a Intake<'a>) -> Self {
        Self { file, intake }
    }
}

impl Read for FromDisk<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(out)?;
        self.intake.read_from_disk(bytes)?;
        Ok(bytes)
    }
}

impl Seek for FromDisk<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
