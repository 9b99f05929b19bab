//! The window while a file loads: when it stands with the progress in it, and the longest frame until
//! all is there.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::Context;
use warpline::app::{App, set_theme};
use warpline::ui::install_fonts;
use warpline::view::{Command, ThemeChoice};

use crate::clock::thread_ms;
use crate::frames::draw;
use crate::table;

/// Between frames of a window that is drawn sixty times a second.
const PAUSE: Duration = Duration::from_millis(16);

pub(crate) fn measure(path: &Path) {
    let since = Instant::now();
    let ctx = Context::default();
    install_fonts(&ctx);
    set_theme(&ctx, ThemeChoice::Dark);
    let mut app = App::new(ThemeChoice::Dark);
    app.command(Command::Open(vec![path.to_owned()]));
    draw(&ctx, &mut app);
    let first_s = since.elapsed().as_secs_f64();
    let mut longest: f64 = 0.0;
    let mut count = 0;
    while app.run().is_none() {
        std::thread::sleep(PAUSE);
        longest = longest.max(thread_ms(|| draw(&ctx, &mut app)).0);
        count += 1;
    }
    // The first frames of the run are a part of the wait.
    for _ in 0..3 {
        longest = longest.max(thread_ms(|| draw(&ctx, &mut app)).0);
    }
    table::row(
        "first frame with the progress, without GL",
        first_s,
        0.3,
        "s",
    );
    let what = format!("longest of {count} frames while it loads");
    table::row(&what, longest, 33.0, "ms");
}
