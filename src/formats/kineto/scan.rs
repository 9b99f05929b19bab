//! The list of events, cut into chunks that are read in parallel.
//!
//! A chunk begins at a *guessed* event start. The guess is proved when the chunk before ends exactly
//! there; if it does not, the guess and what was read from it are thrown away, and reading goes on
//! where the chunk before ended. So any formatting is read rightly, one line included.

use rayon::prelude::*;
use serde_json::Value;

use crate::base::{Cancelled, Job};
use crate::formats::kineto::event::{Event, Reading};
use crate::formats::kineto::layout::Layout;
use crate::formats::kineto::mend::{Broken, EVENT_BYTES_MAX, mend};
use crate::formats::kineto::piece::Piece;
use crate::formats::kineto::reader::Reader;
use crate::model::Issue;

/// Large enough that merging the tables of a chunk costs nothing, small enough that cancelling is
/// heard at once and that few spans are held twice.
const CHUNK_BYTES: usize = 8 << 20;

/// Of a file, for each of its spans: a span of most writers with its share of arrows.
const BYTES_OF_A_SPAN: usize = 400;

/// Events that run on to the end of the file without closing before a file is given up: each may
/// cost a walk over [`EVENT_BYTES_MAX`].
const RUNAWAYS_MAX: u32 = 64;

/// How a run of events ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The next event starts here.
    Next(usize),
    /// The list closed before this byte.
    Closed(usize),
    /// The text ended first.
    CutOff,
}

struct Chunk<'a> {
    bytes: &'a [u8],
    at: usize,
    reader: Reader<'a>,
    layout: Layout,
    runaways: u32,
}

/// Reads the events from `from` on, giving the pieces in order to `take`. Returns where the list
/// closed, if it did.
pub(super) fn scan(
    bytes: &[u8],
    from: usize,
    job: &Job,
    take: impl FnMut(Piece),
) -> Result<Option<usize>, Cancelled> {
    scan_by(CHUNK_BYTES, bytes, from, job, take)
}

/// The same in chunks of about `chunk_bytes`: how the list is cut changes nothing.
pub(super) fn scan_by(
    chunk_bytes: usize,
    bytes: &[u8],
    from: usize,
    job: &Job,
    mut take: impl FnMut(Piece),
) -> Result<Option<usize>, Cancelled> {
    let starts = guesses(bytes, from, chunk_bytes);
    let mut expected = End::Next(from);
    let mut spans = 0_usize;
    let until = |i: usize| starts.get(i + 1).copied().unwrap_or(bytes.len());
    let wave = rayon::current_num_threads().max(1) * 2;
    let numbers: Vec<usize> = (0..starts.len()).collect();
    for part in numbers.chunks(wave) {
        let read: Vec<Result<(Piece, End), Cancelled>> = part
            .par_iter()
            .map(|i| {
                chunk(
                    bytes,
                    starts.get(*i).copied().unwrap_or(from),
                    until(*i),
                    job,
                )
            })
            .collect();
        for (i, result) in part.iter().zip(read) {
            let End::Next(next) = expected else { break };
            let proved = starts.get(*i) == Some(&next);
            if !proved && next >= until(*i) && until(*i) < bytes.len() {
                continue;
            }
            let (mut piece, end) = if proved {
                result?
            } else {
                chunk(bytes, next, until(*i), job)?
            };
            let done = (until(*i) - from).max(1);
            spans += piece.batch.spans.len();
            piece.expected_spans = spans.saturating_mul((bytes.len() - from) / done + 1);
            job.kept(piece.batch.tally.spans, piece.batch.ledger.total());
            job.begins(&piece.batch.spans.start);
            take(piece);
            expected = end;
        }
        if !matches!(expected, End::Next(_)) {
            break;
        }
    }
    Ok(match expected {
        End::Closed(end) => Some(end),
        End::Next(_) | End::CutOff => None,
    })
}

/// The first event, and a guess about every `chunk_bytes`.
fn guesses(bytes: &[u8], from: usize, chunk_bytes: usize) -> Vec<usize> {
    let mut starts = vec![from];
    let mut at = from.saturating_add(chunk_bytes);
    while at < bytes.len() {
        let until = at.saturating_add(chunk_bytes);
        match guess(bytes, at, until) {
            Some(start) => {
                starts.push(start);
                at = start.saturating_add(chunk_bytes);
            }
            None => at = until,
        }
    }
    starts
}

/// The next place before `until` that looks like the start of an event: `}` `,` `{` `"` with white
/// space between, and a key that events have.
fn guess(bytes: &[u8], from: usize, until: usize) -> Option<usize> {
    const KEYS: [&[u8]; 9] = [
        b"ph\"", b"name\"", b"cat\"", b"pid\"", b"tid\"", b"ts\"", b"args\"", b"id\"", b"dur\"",
    ];
    let window = bytes.get(from..until.min(bytes.len()))?;
    memchr::memchr_iter(b'{', window)
        .map(|it| from + it)
        .find(|brace| {
            let after = bytes
                .get(brace + 1..)
                .unwrap_or_default()
                .trim_ascii_start();
            let key = after.strip_prefix(b"\"").unwrap_or_default();
            let before = bytes
                .get(brace.saturating_sub(64)..*brace)
                .unwrap_or_default()
                .trim_ascii_end();
            let event_before = before.strip_suffix(b",").map(<[u8]>::trim_ascii_end);
            KEYS.iter().any(|it| key.starts_with(it))
                && event_before.is_some_and(|it| it.ends_with(b"}"))
        })
}

fn chunk(bytes: &[u8], from: usize, until: usize, job: &Job) -> Result<(Piece, End), Cancelled> {
    let mut chunk = Chunk {
        bytes,
        at: from,
        reader: Reader::default(),
        layout: Layout::default(),
        runaways: 0,
    };
    // Room for what a chunk mostly holds, so that columns seldom move while they grow.
    let spans = &mut chunk.reader.piece.batch.spans;
    spans.reserve(until.saturating_sub(from) / BYTES_OF_A_SPAN);
    let mut told = from;
    let mut count = 0_u32;
    let end = loop {
        if let Some(end) = chunk.next_start(until) {
            break end;
        }
        if let Some(end) = chunk.element() {
            break end;
        }
        count += 1;
        if count.is_multiple_of(1024) {
            job.advance((chunk.at - told) as u64)?;
            told = chunk.at;
        }
    };
    job.advance(chunk.at.saturating_sub(told) as u64)?;
    Ok((chunk.reader.piece, end))
}

impl Chunk<'_> {
    fn fault(&mut self, issue: Issue, at: usize) {
        self.reader.piece.batch.ledger.add(issue, Some(at as u64));
    }

    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    /// Goes to where the next element starts; tells if there is none to read here.
    fn next_start(&mut self, until: usize) -> Option<End> {
        loop {
            match self.peek() {
                None => return Some(self.cut_off(0)),
                Some(b']') => {
                    self.at += 1;
                    return Some(End::Closed(self.at));
                }
                Some(b',') => {
                    self.fault(Issue::TrailingComma, self.at);
                    self.at += 1;
                }
                Some(_) if self.at >= until && until < self.bytes.len() => {
                    return Some(End::Next(self.at));
                }
                Some(_) => return None,
            }
        }
    }

    /// Reads one element and the comma after it.
    fn element(&mut self) -> Option<End> {
        let start = self.at;
        let mut event = Event::default();
        let taken = match event.read(self.bytes, start, &mut self.layout) {
            Reading::Event(end) if self.bytes.get(start) == Some(&b'{') => {
                let fits = end - start <= EVENT_BYTES_MAX && self.reader.take(&event, start as u64);
                fits.then_some(end)
            }
            _ => None,
        };
        if let Some(end) = taken {
            self.at = end;
        } else if let Some(end) = self.slow(start) {
            return Some(end);
        }
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                // A comma before the closing bracket is one too many.
                if self.peek() == Some(b']') {
                    self.fault(Issue::TrailingComma, self.at);
                }
                None
            }
            Some(b']') | None => None,
            Some(_) => self.resync(self.at),
        }
    }

    /// Reads an element that needs mending; `Some` where nothing can be read any more.
    fn slow(&mut self, start: usize) -> Option<End> {
        match mend(self.bytes, start) {
            Ok(mended) => {
                self.at = mended.end;
                let parsed = serde_json::from_str::<Value>(&mended.text);
                for (issue, at) in mended.faults {
                    self.reader.piece.batch.ledger.add(issue, Some(at));
                }
                if let Ok(Value::Object(fields)) = parsed {
                    self.reader.take_mended(&fields, start as u64);
                } else {
                    self.reader.piece.batch.tally.read += 1;
                    self.reader.piece.counted(Issue::NotAnEvent, start as u64);
                }
                None
            }
            Err(Broken::CutOff) => {
                self.runaways += 1;
                match guess(self.bytes, start + 1, self.bytes.len()) {
                    next @ Some(_) if self.runaways < RUNAWAYS_MAX => {
                        self.lost(Issue::JsonSyntax, start, next)
                    }
                    _ => Some(self.cut_off(1)),
                }
            }
            Err(Broken::Syntax(_)) => self.resync(start),
            Err(Broken::TooDeep) => self.skip_over(Issue::DepthLimit, start),
            Err(Broken::TooLong) => self.skip_over(Issue::SizeLimit, start),
        }
    }

    /// What stands at `start` is lost; reading goes on at `next`, if anywhere.
    fn lost(&mut self, issue: Issue, start: usize, next: Option<usize>) -> Option<End> {
        self.reader.piece.batch.tally.partial += 1;
        self.fault(issue, start);
        self.at = next.unwrap_or(self.bytes.len());
        next.is_none().then_some(End::CutOff)
    }

    /// Leaves out what stands at `start` and goes on at the next event.
    fn resync(&mut self, start: usize) -> Option<End> {
        let next = guess(self.bytes, start + 1, self.bytes.len());
        self.lost(Issue::JsonSyntax, start, next)
    }

    /// Passes over an event that is whole but beyond a limit.
    fn skip_over(&mut self, issue: Issue, start: usize) -> Option<End> {
        self.lost(issue, start, whole_end(self.bytes, start))
    }

    fn cut_off(&mut self, partial: u64) -> End {
        self.reader.piece.batch.tally.partial += partial;
        self.fault(Issue::TruncatedJson, self.bytes.len());
        self.at = self.bytes.len();
        End::CutOff
    }
}

/// The end of the object at `start`, however deep and long, by counting brackets outside of texts.
fn whole_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_u64, start);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => {
                at += 1;
                while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..)?) {
                    at += found;
                    if bytes.get(at) == Some(&b'"') {
                        break;
                    }
                    at += 2;
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
