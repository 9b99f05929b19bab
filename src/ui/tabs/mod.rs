//! The bottom panel and its tabs.

mod details;
mod ledger;
mod tabs_row;

pub(crate) use tabs_row::Tabs;
