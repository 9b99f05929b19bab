//! Tests of the importer as a whole: text in, facts out.

mod chunks;
mod hostile;
mod ledger;
mod mutations;
mod reading;
mod refusals;
mod ties;
mod writers;
