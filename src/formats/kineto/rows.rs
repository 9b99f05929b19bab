//! Which row of a trace an event stands on.
//!
//! Rows are looked up by their bytes in the file, so that the common event costs no allocation.

use rustc_hash::FxHashMap;

use crate::formats::kineto::category::{device_of_process, stream_of_thread};
use crate::formats::kineto::cursor::Scalar;
use crate::formats::kineto::number::integer;
use crate::model::{Role, RowId, TrackKey};

/// Process and thread as an event names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row<'a> {
    pub(super) process: Option<Scalar<'a>>,
    pub(super) thread: Option<Scalar<'a>>,
}

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) role: Role,
    /// The GPU that the arguments name.
    pub(super) device: Option<i64>,
}

/// The rows met so far.
#[derive(Default)]
pub(super) struct Rows<'a> {
    short: FxHashMap<ShortRow, u32>,
    last: Option<(ShortRow, u32)>,
    long: FxHashMap<(Row<'a>, Place), u32>,
    keys: FxHashMap<TrackKey, u32>,
}

/// What is asked for as three numbers, which are sooner compared than texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ShortRow {
    process: u64,
    thread: u64,
    place: u64,
}

impl ShortRow {
    /// `None` for texts of more than seven bytes and devices beyond 32 bits.
    #[inline]
    fn of(row: Row<'_>, place: Place) -> Option<Self> {
        let device = place.device.map(|it| u32::try_from(it).ok());
        let device = match device {
            None => 1 << 40,
            Some(device) => u64::from(device?),
        };
        Some(Self {
            process: short(row.process)?,
            thread: short(row.thread)?,
            place: device << 8 | place.role as u64,
        })
    }
}

/// The bytes of a text and their count in one number.
#[inline]
fn short(text: Option<Scalar<'_>>) -> Option<u64> {
    let Some(Scalar { text, .. }) = text else {
        return Some(u64::MAX);
    };
    let count = (text.len() < 8).then_some(text.len() as u64)?;
    Some(
        text.iter()
            .fold(count, |all, byte| all << 8 | u64::from(*byte)),
    )
}

impl<'a> Rows<'a> {
    /// The position in `tracks` of a row whose texts live as long as the file.
    #[inline]
    pub(super) fn track(&mut self, row: Row<'a>, place: Place, tracks: &mut Vec<TrackKey>) -> u32 {
        let place = place.where_it_counts();
        let Some(asked) = ShortRow::of(row, place) else {
            return self.track_of_long(row, place, tracks);
        };
        if let Some((_, track)) = self.last.filter(|it| it.0 == asked) {
            return track;
        }
        let track = match self.short.get(&asked) {
            Some(track) => *track,
            None => self.track_of_texts(row, place, tracks),
        };
        self.short.insert(asked, track);
        self.last = Some((asked, track));
        track
    }

    fn track_of_long(&mut self, row: Row<'a>, place: Place, tracks: &mut Vec<TrackKey>) -> u32 {
        if let Some(track) = self.long.get(&(row, place)) {
            return *track;
        }
        let track = self.track_of_texts(row, place, tracks);
        self.long.insert((row, place), track);
        track
    }

    /// The same for texts that do not.
    pub(super) fn track_of_texts(
        &mut self,
        row: Row<'_>,
        place: Place,
        tracks: &mut Vec<TrackKey>,
    ) -> u32 {
        *self
            .keys
            .entry(track_key(row, place))
            .or_insert_with_key(|key| {
                tracks.push(key.clone());
                u32::try_from(tracks.len() - 1).unwrap_or(u32::MAX)
            })
    }
}

impl Place {
    pub(super) fn of(role: Role) -> Self {
        Self { role, device: None }
    }

    fn is_of_gpu(self) -> bool {
        matches!(self.role, Role::Work | Role::Annotation | Role::Sync)
    }

    fn where_it_counts(self) -> Self {
        if self.is_of_gpu() {
            self
        } else {
            Self::of(self.role)
        }
    }
}

/// Rows of the profiler carry texts where others carry numbers (formats.md 2.7).
fn track_key(row: Row<'_>, place: Place) -> TrackKey {
    let process = row.process.map_or(RowId::Number(0), row_id);
    let thread = row.thread.map_or_else(|| process.clone(), row_id);
    if !place.is_of_gpu() {
        let of_profiler =
            matches!(&process, RowId::Text(it) if matches!(&**it, "" | "Spans" | "Traces"));
        let role = if of_profiler && place.role == Role::Cpu {
            Role::Overhead
        } else {
            place.role
        };
        return TrackKey {
            role,
            device: None,
            process,
            thread,
        };
    }
    let stream = match &thread {
        RowId::Text(text) => stream_of_thread(text).map(RowId::Number),
        RowId::Number(_) => None,
    };
    let thread = stream.unwrap_or(thread);
    let device = place.device.or_else(|| match &process {
        RowId::Number(number) => Some(*number),
        RowId::Text(text) => device_of_process(text),
    });
    TrackKey {
        role: place.role,
        device,
        process,
        thread,
    }
}

/// A number where the text is one.
pub(super) fn row_id(scalar: Scalar<'_>) -> RowId {
    let text = || RowId::Text(String::from_utf8_lossy(scalar.text).into());
    integer(scalar.text).map_or_else(text, RowId::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(process: &str, thread: &str, place: Place) -> TrackKey {
        let scalar = |text: &'static str| {
            Some(Scalar {
                text: text.as_bytes(),
                quoted: true,
            })
        };
        let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        track_key(
            Row {
                process: scalar(leak(process)),
                thread: scalar(leak(thread)),
            },
            place,
        )
    }

    #[test]
    fn a_process_named_after_its_gpu_gives_device_and_stream() {
        let key = key("Device 1", "CUDA API 7", Place::of(Role::Work));
        assert_eq!((key.device, key.thread), (Some(1), RowId::Number(7)));
    }

    #[test]
    fn the_device_in_the_arguments_counts_more_than_the_process() {
        let key = key(
            "0",
            "stream 20",
            Place {
                role: Role::Work,
                device: Some(3),
            },
        );
        assert_eq!((key.device, key.thread), (Some(3), RowId::Number(20)));
    }

    #[test]
    fn rows_of_a_cpu_have_no_device() {
        let key = key(
            "Host 0",
            "CUDA API 9946",
            Place {
                role: Role::Cpu,
                device: Some(3),
            },
        );
        assert_eq!(
            (key.device, key.thread),
            (None, RowId::Text("CUDA API 9946".into()))
        );
        assert_eq!(
            super::tests::key("Spans", "x", Place::of(Role::Cpu)).role,
            Role::Overhead
        );
    }

    #[test]
    fn rows_with_almost_the_same_texts_are_not_one() {
        let scalar = |text| Some(Scalar { text, quoted: true });
        let texts = [
            None,
            Some(""),
            Some("0"),
            Some("00"),
            Some("1234567"),
            Some("12345678"),
            Some("x"),
        ];
        let mut found = std::collections::BTreeSet::new();
        let mut tracks = Vec::new();
        let mut rows = Rows::default();
        for process in texts {
            for thread in texts {
                for device in [None, Some(0), Some(1), Some(1 << 40)] {
                    let row = Row {
                        process: process.and_then(|it: &str| scalar(it.as_bytes())),
                        thread: thread.and_then(|it: &str| scalar(it.as_bytes())),
                    };
                    let place = Place {
                        role: Role::Work,
                        device,
                    };
                    let track = rows.track(row, place, &mut tracks);
                    assert_eq!(rows.track(row, place, &mut tracks), track);
                    assert_eq!(tracks[track as usize], track_key(row, place));
                    found.insert(track);
                }
            }
        }
        assert_eq!(found.len(), tracks.len());
    }
}
