//! The lines that a bench prints.
#![expect(clippy::print_stdout, reason = "a bench prints")]

pub(crate) fn head() {
    println!("{:<58} {:>9} {:>9}", "what", "at most", "measured");
}

pub(crate) fn row(what: &str, measured: f64, at_most: f64, unit: &str) {
    let missed = if measured <= at_most { "" } else { "  missed" };
    println!("{what:<58} {at_most:>9} {measured:>9.2} {unit}{missed}");
}

pub(crate) fn note(line: &str) {
    println!("{line}");
}
