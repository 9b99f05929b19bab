//! Bytes to facts: one importer per file format.
