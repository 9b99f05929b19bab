//! Texts, each held once, by number.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::model::ids::NameId;

/// The distinct texts of a trace or a run in order of first use.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, NameId>,
}

impl NameTable {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        self.add(Arc::from(text))
    }

    /// As [`intern`](Self::intern), sharing the text's memory.
    pub fn intern_shared(&mut self, text: &Arc<str>) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        self.add(Arc::clone(text))
    }

    fn add(&mut self, text: Arc<str>) -> NameId {
        let id = NameId::from_index(self.texts.len());
        self.ids.insert(Arc::clone(&text), id);
        self.texts.push(text);
        id
    }

    /// The text of `id`; empty for an id of another table.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id.index()).map_or("", |it| it)
    }

    pub fn find(&self, text: &str) -> Option<NameId> {
        self.ids.get(text).copied()
    }

    pub fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Frees what only interning needs.
    pub fn shrink(&mut self) {
        self.texts.shrink_to_fit();
        self.ids.shrink_to_fit();
    }
}
