//! What a bin or a pixel column shows: how much of it is busy, and what fills most of it.
//!
//! An ink is a meaning, not a color: the class of GPU work, or the kind of anything else. Inside the
//! room it is one byte; which of the two it is follows from the row.

use crate::model::{Class, Flags, Kind, NameId, Run, Spans, TraceId};

/// What most of a stretch of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// On rows of GPU work.
    Class(Class),
    /// On every other row.
    Kind(Kind),
}

/// One pixel column of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    /// 0: nothing touches the column; 255: busy throughout.
    pub occupancy: u8,
    /// Meaningless where nothing touches the column.
    pub ink: Ink,
}

impl Texel {
    pub const EMPTY: Self = Self {
        occupancy: 0,
        ink: Ink::Class(Class::Other),
    };
}

/// Inks of one row are fewer than this.
pub(crate) const INK_COUNT: usize = Kind::ALL.len();

/// The ink of `code` on a row of work or another; an unknown code is other.
pub(crate) fn decode(code: u8, is_work: bool) -> Ink {
    let i = usize::from(code);
    if is_work {
        Ink::Class(Class::ALL.get(i).copied().unwrap_or(Class::Other))
    } else {
        Ink::Kind(Kind::ALL.get(i).copied().unwrap_or(Kind::Other))
    }
}

/// Classes of a trace's own names, so that a loop over spans asks no run.
#[derive(Debug)]
pub(crate) struct Inks {
    classes: Vec<Class>,
}

impl Inks {
    pub(crate) fn of(run: &Run, trace: TraceId) -> Self {
        let names = 0..run.trace(trace).names().texts().len();
        let class = |i| run.class(trace, Kind::Kernel, Flags::default(), NameId::from_index(i));
        Self {
            classes: names.map(class).collect(),
        }
    }

    /// As [`Run::class_of`].
    #[inline]
    pub(crate) fn class(&self, spans: &Spans, i: usize) -> Class {
        match spans.kinds()[i] {
            Kind::Memcpy => Class::Copy,
            Kind::Memset => Class::Memset,
            _ if spans.flags()[i].has(Flags::COLLECTIVE) => Class::Communication,
            _ => self.classes[spans.names()[i].index()],
        }
    }

    #[inline]
    pub(crate) fn code(&self, spans: &Spans, i: usize, is_work: bool) -> u8 {
        if is_work {
            self.class(spans, i) as u8
        } else {
            spans.kinds()[i] as u8
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.classes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_and_kind_comes_back_from_its_code() {
        for class in Class::ALL {
            assert_eq!(decode(class as u8, true), Ink::Class(class));
        }
        for kind in Kind::ALL {
            assert_eq!(decode(kind as u8, false), Ink::Kind(kind));
        }
        assert_eq!(decode(200, true), Ink::Class(Class::Other));
        assert_eq!(decode(200, false), Ink::Kind(Kind::Other));
    }
}
