//! The window's content as a picture, without a window: no display, no GPU driver, the same bytes from run
//! to run.

use crate::app::headless::Headless;
use crate::app::picture::Picture;
use crate::app::shell::{App, set_theme};
use crate::base::TimeRange;
use crate::ui::install_fonts;
use crate::view::{Command, Outline, ThemeChoice, ViewCommand};
use crate::workspace::Loaded;

/// Panels and tables settle over so many passes.
const PASSES: usize = 4;

/// What is drawn, and how large.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Points.
    pub size: [f32; 2],
    pub scale: f32,
    pub theme: ThemeChoice,
    pub range: Option<TimeRange>,
    /// Text that the name of the span to select contains.
    pub select: Option<String>,
}

/// Draws a run.
pub fn screenshot(loaded: Loaded, shot: &Shot) -> Picture {
    let outline = Outline::of_run(loaded.run());
    let mut app = App::new(shot.theme);
    let selected = shot
        .select
        .as_deref()
        .and_then(|it| longest_named(&loaded, it, shot.range));
    app.show(loaded, outline);
    let theme = shot.theme;
    let mut headless = Headless::new(egui::vec2(shot.size[0], shot.size[1]), shot.scale, |ctx| {
        install_fonts(ctx);
        set_theme(ctx, theme);
    });
    let ctx = headless.ctx().clone();
    let mut commands: Vec<ViewCommand> = selected.map(ViewCommand::GoTo).into_iter().collect();
    commands.extend(shot.range.map(ViewCommand::Show));
    // The first pass tells the lanes their height, on which scrolling depends.
    headless.pass(Vec::new(), &mut |ui| app.ui(ui));
    for command in commands {
        app.command(Command::View(command));
    }
    for _ in 0..PASSES {
        app.logic(&ctx);
        headless.pass(Vec::new(), &mut |ui| app.ui(ui));
    }
    headless.picture()
}

/// The longest span whose name contains `text`, GPU work first, of those that begin in `range`.
fn longest_named(
    loaded: &Loaded,
    text: &str,
    range: Option<TimeRange>,
) -> Option<crate::model::SpanRef> {
    use crate::model::{SpanId, SpanRef};
    let run = loaded.run();
    let mut best = None;
    for trace in run.trace_ids() {
        let data = run.trace(trace);
        let wanted: Vec<bool> = data
            .names()
            .texts()
            .iter()
            .map(|it| it.contains(text))
            .collect();
        for i in (0..data.spans().len()).filter(|i| wanted[data.spans().names()[*i].index()]) {
            let span = data.span(SpanId::from_index(i));
            let start = run.run_time(trace, span.start);
            if range.is_some_and(|it| !it.contains(start)) {
                continue;
            }
            let rank = (span.kind.is_work(), span.dur, std::cmp::Reverse((trace, i)));
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((
                    rank,
                    SpanRef {
                        trace,
                        span: SpanId::from_index(i),
                    },
                ));
            }
        }
    }
    best.map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use super::longest_named;
    use crate::base::{Job, TimeRange};
    use crate::workspace::load;

    #[test]
    fn with_a_range_the_longest_span_of_that_range_is_selected() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-traces/train-4rank");
        let loaded = load(&[folder.into()], &Job::default()).unwrap();
        let start_of = |range| {
            let at = longest_named(&loaded, "AllReduce", range).unwrap();
            loaded.run().range_of(at).start
        };
        let longest = start_of(None);
        let earlier = TimeRange::new(loaded.run().extent().start, longest);
        assert!(earlier.contains(start_of(Some(earlier))));
        let nothing = TimeRange::new(longest, longest);
        assert_eq!(longest_named(&loaded, "AllReduce", Some(nothing)), None);
    }
}
