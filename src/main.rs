//! Hands the arguments to the command line; nothing else.

fn main() {}
