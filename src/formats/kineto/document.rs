//! The document around the events: an object with `traceEvents` among other keys, in any order, or
//! a bare list. Several documents in a row are read as one.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::base::Job;
use crate::formats::error::ImportError;
use crate::formats::kineto::mend::{Broken, EVENT_BYTES_MAX, mend};
use crate::formats::kineto::piece::Piece;
use crate::formats::kineto::scan::scan;
use crate::model::{Issue, Ledger};

/// Head keys that are read over: large, private, or without use here.
const PASSED_OVER: [&str; 9] = [
    "metadata",
    "traceName",
    "host_name",
    "otherData",
    "stackFrames",
    "samples",
    "username",
    "systemTraceEvents",
    "powerTraceAsString",
];

/// What stands beside the events.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) values: Map<String, Value>,
    pub(super) ledger: Ledger,
    has_events: bool,
}

impl Head {
    /// The last word holds. An object given again adds to the first: profilers that run as a daemon
    /// write a second, poorer `distributedInfo` behind the events.
    fn put(&mut self, key: String, value: Value) {
        match (self.values.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
            (_, value) => {
                self.values.insert(key, value);
            }
        }
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    path: &'a Path,
    head: Head,
    /// Keys of this document: a file may hold several, each with the same ones.
    keys: BTreeSet<String>,
}

/// Reads a whole source, giving its pieces in order to `take`.
pub(super) fn read_document(
    bytes: &[u8],
    path: &Path,
    job: &Job,
    take: &mut dyn FnMut(Piece),
) -> Result<Head, ImportError> {
    let mut walk = Walk {
        bytes,
        at: 0,
        path,
        head: Head::default(),
        keys: BTreeSet::new(),
    };
    while let Some(byte) = walk.peek() {
        match byte {
            b'[' if !walk.head.has_events => {
                walk.check_list()?;
                walk.events(job, take)?;
            }
            b'{' => walk.object(job, take)?,
            _ if walk.head.has_events => break,
            _ => {
                return Err(ImportError::Syntax {
                    at: walk.at,
                    path: path.to_owned(),
                });
            }
        }
        if walk.at >= bytes.len() {
            break;
        }
    }
    if !walk.head.has_events {
        return Err(walk.no_events());
    }
    Ok(walk.head)
}

impl Walk<'_> {
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn fault(&mut self, issue: Issue) {
        self.head.ledger.add(issue, Some(self.at as u64));
    }

    /// The events of the list whose bracket stands here.
    fn events(&mut self, job: &Job, take: &mut dyn FnMut(Piece)) -> Result<bool, ImportError> {
        self.head.has_events = true;
        let closed = scan(self.bytes, self.at + 1, job, take)?;
        self.at = closed.unwrap_or(self.bytes.len());
        Ok(closed.is_some())
    }

    fn object(&mut self, job: &Job, take: &mut dyn FnMut(Piece)) -> Result<(), ImportError> {
        self.at += 1;
        self.keys.clear();
        loop {
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    if !self.pair(job, take)? {
                        return Ok(());
                    }
                }
                None => {
                    self.fault(Issue::TruncatedJson);
                    return Ok(());
                }
                Some(_) => return self.broken(job, take),
            }
        }
    }

    /// One key with its value; false where nothing can follow.
    fn pair(&mut self, job: &Job, take: &mut dyn FnMut(Piece)) -> Result<bool, ImportError> {
        // A key is read as the head of an object, so that its quotes follow the same rules.
        let from = self.at + 1;
        let rest = self.bytes.get(from..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'"', rest) else {
            self.at = self.bytes.len();
            self.fault(Issue::TruncatedJson);
            return Ok(false);
        };
        let key = String::from_utf8_lossy(rest.get(..length).unwrap_or_default()).into_owned();
        self.at = from + length + 1;
        if self.peek() != Some(b':') {
            self.broken(job, take)?;
            return Ok(false);
        }
        self.at += 1;
        if !self.keys.insert(key.clone()) {
            self.fault(Issue::DuplicateKey);
        }
        if key == "traceEvents" && self.peek() == Some(b'[') {
            return self.events(job, take);
        }
        self.peek();
        match mend(self.bytes, self.at) {
            Ok(mended) => {
                self.at = mended.end;
                // Keys inside of a value of the head are not the head's.
                for (issue, at) in mended
                    .faults
                    .iter()
                    .filter(|it| it.0 != Issue::DuplicateKey)
                {
                    self.head.ledger.add(*issue, Some(*at));
                }
                if !PASSED_OVER.contains(&key.as_str()) {
                    let value = serde_json::from_str(&mended.text).unwrap_or(Value::Null);
                    self.head.put(key, value);
                }
                Ok(true)
            }
            Err(Broken::CutOff) => {
                self.at = self.bytes.len();
                self.fault(Issue::TruncatedJson);
                Ok(false)
            }
            Err(_) => {
                self.broken(job, take)?;
                Ok(false)
            }
        }
    }

    /// The head breaks here. Before the events it is searched for them; after them the rest is left.
    fn broken(&mut self, job: &Job, take: &mut dyn FnMut(Piece)) -> Result<(), ImportError> {
        self.fault(Issue::JsonSyntax);
        if !self.head.has_events {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let rest = rest
                .get(..EVENT_BYTES_MAX.min(rest.len()))
                .unwrap_or_default();
            let found = memchr::memmem::find(rest, b"\"traceEvents\"").map(|it| self.at + it + 13);
            let list = found.and_then(|from| {
                self.at = from;
                (self.peek() == Some(b':')).then(|| self.at += 1)?;
                (self.peek() == Some(b'[')).then_some(())
            });
            if list.is_none() {
                return Err(ImportError::Syntax {
                    at: self.at,
                    path: self.path.to_owned(),
                });
            }
            self.events(job, take)?;
        }
        self.at = self.bytes.len();
        Ok(())
    }

    /// A bare list must hold objects: lists of numbers are other things.
    fn check_list(&self) -> Result<(), ImportError> {
        let head = self
            .bytes
            .get(self.at + 1..)
            .unwrap_or_default()
            .trim_ascii_start();
        let other = |what, advice| {
            Err(ImportError::OtherJson {
                what,
                advice,
                path: self.path.to_owned(),
            })
        };
        match head.first() {
            Some(b'[') => other(
                "a PyTorch memory timeline",
                "Open the trace of the same run, which holds its memory events",
            ),
            Some(b'{' | b']' | b',') | None => {
                let first = head.get(..head.len().min(4096)).unwrap_or_default();
                if memchr::memmem::find(first, b"\"metric\"").is_some()
                    && memchr::memmem::find(first, b"\"ph\"").is_none()
                {
                    return other(
                        "a list of metrics",
                        "Metrics are not read yet; open the trace that was recorded on the server",
                    );
                }
                Ok(())
            }
            Some(_) => other("a list of plain values", "Open a list of trace events"),
        }
    }

    fn no_events(&self) -> ImportError {
        let has = |key: &str| self.head.values.contains_key(key);
        let other = |what, advice| ImportError::OtherJson {
            what,
            advice,
            path: self.path.to_owned(),
        };
        if has("rocprofiler-sdk-tool") {
            other(
                "a rocprofv3 result",
                "It is not read yet; open the PyTorch Profiler trace of the same run",
            )
        } else if has("status") && has("errorType") {
            other(
                "an error that Prometheus answered",
                "It holds no data; open the trace that was recorded on the server",
            )
        } else if has("status") && has("data") {
            other(
                "an answer of Prometheus to a query",
                "Metrics are not read yet; open the trace that was recorded on the server",
            )
        } else if has("frame") && has("metrics") {
            other(
                "a call tree of Triton Proton",
                "Write it with `proton --data trace`",
            )
        } else {
            ImportError::NoEvents {
                length: self.bytes.len(),
                path: self.path.to_owned(),
            }
        }
    }
}
