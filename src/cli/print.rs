//! The only place that prints. A reader that went away is success.

use std::io::{self, Write as _};

/// Prints to standard output; a broken pipe is no error.
pub(crate) fn out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints one line to standard error. Where even that fails there is nobody to tell.
pub(crate) fn err(line: &str) {
    io::stderr()
        .lock()
        .write_all(format!("warpline: {line}\n").as_bytes())
        .ok();
}
