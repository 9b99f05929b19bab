//! Tests of the importer as a whole: text in, facts out.

mod reading;
mod ties;
