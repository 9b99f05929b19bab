//! The closed list of what can be wrong with input, and the ledger that counts it.
//!
//! A bad record is counted here and the rest goes on; a bad file is an error of `formats`. The words
//! are those of `tests/cases/CASES.md`.

use std::collections::BTreeMap;

/// How much an issue touches the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// True and worth knowing; no figure is wrong because of it.
    Note,
    Low,
    Medium,
    High,
}

impl Severity {
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

macro_rules! issues {
    ($($(#[$doc:meta])* $name:ident $word:literal $severity:ident $one:literal $many:literal $done:literal)*) => {
        /// A kind of issue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Issue { $($(#[$doc])* $name,)* }

        impl Issue {
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The fixed word by which tests and reports name it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What `count` of it are, as the head of a sentence.
            pub fn says(self, count: u64) -> &'static str {
                match self { $(Self::$name => if count == 1 { $one } else { $many },)* }
            }

            /// What was done about it and what that means for figures.
            pub fn done(self) -> &'static str {
                match self { $(Self::$name => $done,)* }
            }
        }
    };
}

issues! {
    TruncatedJson "truncated-json" High "file ends early" "files end early" "every whole event before the cut is kept"
    TruncatedGzip "truncated-gzip" High "compressed stream ends early" "compressed streams end early" "what could be unpacked is kept"
    DamagedGzip "damaged-gzip" High "compressed stream is damaged" "compressed streams are damaged" "what was unpacked before is kept"
    TruncatedZstd "truncated-zstd" High "compressed stream ends early" "compressed streams end early" "what could be unpacked is kept"
    DamagedZstd "damaged-zstd" High "compressed stream is damaged" "compressed streams are damaged" "what was unpacked before is kept"
    DamagedArchive "damaged-archive" High "archive is damaged or cut off" "archives are damaged or cut off" "what could be unpacked is kept"
    TrailingBytes "trailing-bytes" Low "stretch of bytes behind the packed data" "stretches of bytes behind the packed data" "passed over; no figure changes"
    JsonSyntax "json-syntax" High "event cannot be read" "events cannot be read" "left out, the rest is kept"
    TrailingComma "trailing-comma" Low "stray comma" "stray commas" "passed over; no figure changes"
    ControlCharacter "control-character" Low "text holds a raw control character" "texts hold raw control characters" "kept, shown as ·"
    BadEscape "bad-escape" Low "text holds an invalid escape" "texts hold invalid escapes" "the whole text is taken literally"
    InvalidUtf8 "invalid-utf8" Low "text is not UTF-8" "texts are not UTF-8" "bad bytes are shown as \u{fffd}"
    LoneSurrogate "lone-surrogate" Low "text holds half a surrogate pair" "texts hold half a surrogate pair" "shown as \u{fffd}"
    NonFiniteNumber "non-finite-number" Low "value is not a number" "values are not numbers" "read as no value"
    BareWord "bare-word" Low "value is a bare word" "values are bare words" "read as text"
    StringNumber "string-number" Note "event writes its times as text" "events write their times as text" "read as numbers; no figure changes"
    DuplicateKey "duplicate-key" Low "key is given twice" "keys are given twice" "the last one holds"
    DepthLimit "depth-limit" Medium "event is nested too deep" "events are nested too deep" "left out, the rest is kept"
    SizeLimit "size-limit" High "record is over the size limit" "records are over the size limit" "left out, the rest is kept"
    UnsafePath "unsafe-path" Medium "archive member points outside" "archive members point outside" "refused, the rest is kept"
    UnsupportedFormat "unsupported-format" High "file is no trace that can be read" "files are no traces that can be read" "refused"
    NoEvents "no-events" High "file without events" "files without events" "nothing to draw"
    NoGpuEvents "no-gpu-events" High "trace without GPU activity" "traces without GPU activity" "CPU lanes only; GPU figures are not available"
    NegativeDuration "negative-duration" Medium "negative duration" "negative durations" "kept as marks of length 0; add nothing to busy time"
    MissingDuration "missing-duration" Medium "span without a duration" "spans without a duration" "kept as marks of length 0; add nothing to busy time"
    ZeroTimestamp "zero-timestamp" Medium "GPU span stamped 0" "GPU spans stamped 0" "listed, not drawn, in no figure"
    ImpossibleDuration "impossible-duration" High "impossible duration" "impossible durations" "figures are given as written and clipped at the next start"
    SameStreamOverlap "same-stream-overlap" Note "span overlaps its predecessor on one stream" "spans overlap their predecessor on one stream" "kept on sub-lanes; busy time is their union"
    UnbalancedBegin "unbalanced-begin" Low "begin without an end" "begins without an end" "drawn open to the last time of the file"
    UnbalancedEnd "unbalanced-end" Low "end without a begin" "ends without a begin" "counted; nothing to draw"
    ChildOutlivesParent "child-outlives-parent" Note "frame ends after its parent" "frames end after their parent" "kept as written on a lane below"
    MissingLaunch "missing-launch" Note "GPU span without its launch" "GPU spans without their launch" "drawn; no launch delay"
    ReusedCorrelation "reused-correlation" Medium "correlation id used by several launches" "correlation ids used by several launches" "tied to the latest launch before the span"
    KernelBeforeLaunch "kernel-before-launch" Medium "GPU span starts before its launch" "GPU spans start before their launch" "tied to the nearest launch; the delay is negative"
    BaseTimeDiffers "base-time-differs" Note "run whose files count from different base times" "runs whose files count from different base times" "each file is placed by its own base"
    DuplicateRank "duplicate-rank" Medium "rank comes from two files at one time" "ranks come from two files at one time" "both are shown"
    RankMismatch "rank-mismatch" Medium "file whose name and content give different ranks" "files whose name and content give different ranks" "the content holds"
    MemoryTotalMissing "memory-total-missing" Low "memory event without a total" "memory events without a total" "the level is derived from the bytes"
    MissingTime "missing-time" Medium "event without a readable time" "events without a readable time" "counted; cannot be placed"
    TimeOutOfRange "time-out-of-range" Medium "time outside of what 64 bits of nanoseconds hold" "times outside of what 64 bits of nanoseconds hold" "counted; cannot be placed"
    NotAnEvent "not-an-event" Low "list element that is no event" "list elements that are no events" "passed over"
    UnknownPhase "unknown-phase" Note "event of a phase that has no picture" "events of phases that have no picture" "counted; in no figure"
    BadBaseTime "bad-base-time" Medium "base time that cannot be read" "base times that cannot be read" "the trace stands on its own clock"
    ClocksNotAligned "clocks-not-aligned" Medium "clock of its own" "clocks of their own" "such ranks are not placed against each other"
    SharedStart "assumed-start" Note "trace placed by its first event" "traces placed by their first event" "positions across these ranks mean nothing"
    FileNotLoaded "file-not-loaded" High "file not loaded" "files not loaded" "its rank is missing"
    FileChanged "file-changed" High "file changed while it was read" "files changed while they were read" "what was read before is kept"
    RankCounted "rank-counted" Note "trace without a rank" "traces without a rank" "numbered in order of names"
}

/// How often one kind of issue occurred, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub count: u64,
    /// Byte offset in the (unpacked) text, where the issue has a place in it.
    pub first_at: Option<u64>,
}

/// What was found wrong, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    entries: BTreeMap<Issue, Entry>,
}

impl Ledger {
    pub fn add(&mut self, issue: Issue, at: Option<u64>) {
        self.add_many(issue, 1, at);
    }

    /// `count` of one kind, the first of them at `first_at`.
    pub fn add_many(&mut self, issue: Issue, count: u64, first_at: Option<u64>) {
        if count == 0 {
            return;
        }
        let entry = self
            .entries
            .entry(issue)
            .or_insert(Entry { count: 0, first_at });
        entry.count += count;
        entry.first_at = match (entry.first_at, first_at) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    pub fn merge(&mut self, other: &Self) {
        for (issue, entry) in &other.entries {
            self.add_many(*issue, entry.count, entry.first_at);
        }
    }

    pub fn entries(&self) -> impl Iterator<Item = (Issue, Entry)> + '_ {
        self.entries.iter().map(|(issue, entry)| (*issue, *entry))
    }

    pub fn count(&self, issue: Issue) -> u64 {
        self.entries.get(&issue).map_or(0, |it| it.count)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn total(&self) -> u64 {
        self.entries.values().map(|it| it.count).sum()
    }
}
