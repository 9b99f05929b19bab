//! What a plain reader does: the events streamed by `serde_json` into the same columns, spans sorted
//! by row, nested, tied to their launches, and the total time by name as the first answer. It counts
//! no faults and looks at no order of fields.

use std::borrow::Cow;
use std::hash::BuildHasher as _;

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Reads a document; returns the longest total time of a name, plus a little of every column.
pub(crate) fn read(bytes: &[u8]) -> i64 {
    let mut columns = Columns::default();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    Document(&mut columns).deserialize(&mut reader).unwrap();
    columns.answer()
}

#[derive(Default)]
struct Columns {
    start: Vec<i64>,
    dur: Vec<i64>,
    name: Vec<u32>,
    row: Vec<u32>,
    kind: Vec<u32>,
    correlation: Vec<u64>,
    names: FxHashMap<String, u32>,
    rows: FxHashMap<(u64, u64), u32>,
}

impl Columns {
    fn add(&mut self, event: &Event<'_>) {
        if event.ph != "X" {
            return;
        }
        let name = intern(&mut self.names, &event.name);
        let kind = intern(&mut self.names, &event.cat);
        let next = u32::try_from(self.rows.len()).unwrap();
        let row = *self.rows.entry((event.pid.0, event.tid.0)).or_insert(next);
        self.start.push(nanoseconds(event.ts));
        self.dur.push(nanoseconds(event.dur));
        self.name.push(name);
        self.kind.push(kind);
        self.row.push(row);
        self.correlation.push(event.args.correlation);
    }

    fn answer(&self) -> i64 {
        let mut order: Vec<u32> = (0..).take(self.start.len()).collect();
        order.sort_unstable_by_key(|it| {
            let i = *it as usize;
            (self.row[i], self.start[i], -self.dur[i])
        });
        let (mut depth, mut open, mut row) = (vec![0_u16; order.len()], Vec::new(), u32::MAX);
        for i in order.iter().map(|it| *it as usize) {
            if self.row[i] != row {
                open.clear();
                row = self.row[i];
            }
            while open.last().is_some_and(|end| *end <= self.start[i]) {
                open.pop();
            }
            depth[i] = u16::try_from(open.len()).unwrap();
            open.push(self.start[i] + self.dur[i]);
        }
        let mut launches: FxHashMap<u64, u32> = FxHashMap::default();
        for (i, correlation) in (0..).zip(&self.correlation) {
            if *correlation > 0 {
                launches.entry(*correlation).or_insert(i);
            }
        }
        let tied = self.correlation.iter().map(|it| launches.get(it));
        let tied: Vec<u32> = tied.map(|it| it.copied().unwrap_or(u32::MAX)).collect();
        let mut totals = vec![0; self.names.len()];
        for (name, dur) in self.name.iter().zip(&self.dur) {
            totals[*name as usize] += dur;
        }
        let most = totals.into_iter().max().unwrap_or(0);
        let last = order.last().map_or(0, |it| *it as usize);
        most + i64::from(depth[last]) + i64::from(tied[last]) + i64::from(self.kind[last])
    }
}

fn intern(names: &mut FxHashMap<String, u32>, name: &str) -> u32 {
    if let Some(id) = names.get(name) {
        return *id;
    }
    let next = u32::try_from(names.len()).unwrap();
    names.insert(name.to_owned(), next);
    next
}

#[expect(clippy::cast_possible_truncation, reason = "a plain reader does so")]
fn nanoseconds(us: f64) -> i64 {
    (us * 1000.0).round() as i64
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    ph: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    cat: Cow<'a, str>,
    #[serde(default)]
    pid: Id,
    #[serde(default)]
    tid: Id,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    args: Args,
}

#[derive(Default, Deserialize)]
struct Args {
    #[serde(default)]
    correlation: u64,
}

/// A number, or what a text hashes to.
#[derive(Default)]
struct Id(u64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_u64<E: Error>(self, it: u64) -> Result<Id, E> {
        Ok(Id(it))
    }

    fn visit_i64<E: Error>(self, it: i64) -> Result<Id, E> {
        Ok(Id(it.cast_unsigned()))
    }

    fn visit_str<E: Error>(self, it: &str) -> Result<Id, E> {
        Ok(Id(FxBuildHasher.hash_one(it)))
    }
}

struct Document<'c>(&'c mut Columns);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a trace")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "traceEvents" {
                map.next_value_seed(Events(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Events<'c>(&'c mut Columns);

impl<'de> DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(event) = seq.next_element::<Event<'de>>()? {
            self.0.add(&event);
        }
        Ok(())
    }
}
