//! How a run is looked at: range, scroll, which lanes are open, selection, tab. Changed by
//! [`View::apply`] alone.

use std::collections::BTreeMap;

use crate::base::TimeRange;
use crate::model::{Run, SpanId, SpanRef};
use crate::view::axis::Stretch;
use crate::view::command::{Tab, ViewCommand};
use crate::view::lane_heights::LaneHeights;
use crate::view::lanes::{Lane, LaneKey, lanes};
use crate::view::outline::Outline;
use crate::workspace::Workspace;

/// The shortest view.
const SHORTEST_NS: f64 = 1.0;
/// Points below a lane that is brought into sight: its link has a line there.
const ROOM_BELOW: f32 = 24.0;
/// How much wider than the run a view may be.
const BEYOND: f64 = 1.1;

/// The view of one run.
#[derive(Clone, Debug)]
pub struct View {
    stretch: Stretch,
    scroll: f32,
    /// Height of the lanes on screen, as last drawn.
    lanes_height: f32,
    toggles: BTreeMap<LaneKey, bool>,
    lanes: Vec<Lane>,
    selection: Option<SpanRef>,
    tab: Tab,
    bottom_open: bool,
    revision: u64,
}

impl View {
    /// The whole run with its lanes as they open by default.
    pub fn of_run(run: &Run, outline: &Outline, heights: &LaneHeights) -> Self {
        let toggles = BTreeMap::new();
        let lanes = lanes(run, outline, &toggles, heights);
        let mut view = Self {
            stretch: Stretch::default(),
            scroll: 0.0,
            lanes_height: 0.0,
            toggles,
            lanes,
            selection: None,
            tab: Tab::Details,
            bottom_open: true,
            revision: 0,
        };
        view.stretch = Self::whole(run);
        view
    }

    pub fn stretch(&self) -> Stretch {
        self.stretch
    }

    pub fn scroll(&self) -> f32 {
        self.scroll
    }

    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Height of all lanes together.
    pub fn total_height(&self) -> f32 {
        self.lanes.last().map_or(0.0, |it| it.top + it.height)
    }

    pub fn selection(&self) -> Option<SpanRef> {
        self.selection
    }

    pub fn tab(&self) -> Tab {
        self.tab
    }

    pub fn bottom_open(&self) -> bool {
        self.bottom_open
    }

    /// Rises with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The run and a little air, so that its first and last spans do not touch the border.
    fn whole(run: &Run) -> Stretch {
        let len = (run.extent().len().0 as f64).max(1.0);
        Stretch {
            start_ns: -len * 0.005,
            len_ns: len * 1.01,
        }
    }

    /// Tells how high the lanes are drawn, which bounds the scroll.
    pub fn set_lanes_height(&mut self, points: f32) {
        self.lanes_height = points;
        self.clamp_scroll();
    }

    fn clamp_scroll(&mut self) {
        let lowest = (self.total_height() - self.lanes_height).max(0.0);
        self.scroll = self.scroll.clamp(0.0, lowest);
    }

    /// Does `command`.
    pub fn apply(
        &mut self,
        command: ViewCommand,
        workspace: &Workspace,
        outline: &Outline,
        heights: &LaneHeights,
    ) {
        let run = workspace.run();
        match command {
            ViewCommand::Zoom { about_ns, factor } => self.zoom(run, about_ns, factor),
            ViewCommand::Pan { share } => self.show(
                run,
                self.stretch.start_ns + share * self.stretch.len_ns,
                self.stretch.len_ns,
            ),
            ViewCommand::PanBy { ns } => {
                self.show(run, self.stretch.start_ns + ns, self.stretch.len_ns);
            }
            ViewCommand::Show(range) => self.show(run, range.start.0 as f64, range.len().0 as f64),
            ViewCommand::Frame { range, share } => self.frame(run, range, share),
            ViewCommand::WholeRun => self.stretch = Self::whole(run),
            ViewCommand::FitSelection => self.fit_selection(run),
            ViewCommand::Scroll { points } => self.scroll += points,
            ViewCommand::Reveal(key) => self.reveal(key),
            ViewCommand::Select(selection) => self.select(selection),
            ViewCommand::GoTo(at) => {
                self.go_to(run, at);
                self.open_lane_of(run, outline, heights, at);
            }
            ViewCommand::NextSpan => self.step(workspace, 1),
            ViewCommand::PreviousSpan => self.step(workspace, -1),
            ViewCommand::ToKernel => self.follow(workspace, outline, heights, true),
            ViewCommand::ToLaunch => self.follow(workspace, outline, heights, false),
            ViewCommand::Toggle(key) => self.toggle(run, outline, heights, key),
            ViewCommand::ShowTab(tab) => {
                self.tab = tab;
                self.bottom_open = true;
            }
            ViewCommand::ToggleBottomPanel => self.bottom_open = !self.bottom_open,
        }
        self.clamp_scroll();
        self.revision += 1;
    }

    /// Shows `len_ns` from `start_ns`, within the limits: the run stays in view.
    fn show(&mut self, run: &Run, start_ns: f64, len_ns: f64) {
        let whole = (run.extent().len().0 as f64).max(1.0);
        let len = len_ns.clamp(SHORTEST_NS, (whole * BEYOND).max(SHORTEST_NS));
        let start = start_ns.clamp(-len * 0.9, (whole - len * 0.1).max(-len * 0.9));
        self.stretch = Stretch {
            start_ns: start,
            len_ns: len,
        };
    }

    fn zoom(&mut self, run: &Run, about_ns: f64, factor: f64) {
        let whole = (run.extent().len().0 as f64).max(1.0);
        let len =
            (self.stretch.len_ns * factor).clamp(SHORTEST_NS, (whole * BEYOND).max(SHORTEST_NS));
        let share = (about_ns - self.stretch.start_ns) / self.stretch.len_ns;
        self.show(run, about_ns - share * len, len);
    }

    fn frame(&mut self, run: &Run, range: TimeRange, share: f64) {
        let len = (range.len().0 as f64 / share).max(10.0);
        let middle = range.start.0 as f64 + range.len().0 as f64 / 2.0;
        self.show(run, middle - len / 2.0, len);
    }

    fn fit_selection(&mut self, run: &Run) {
        let Some(at) = self.selection else { return };
        let range = run.range_of(at);
        let middle = f64::midpoint(range.start.0 as f64, range.end.0 as f64);
        let off = (middle - self.stretch.start_ns - self.stretch.len_ns / 2.0).abs();
        if off < self.stretch.len_ns * 1e-3 {
            self.frame(run, range, 0.6);
        } else {
            self.show(run, middle - self.stretch.len_ns / 2.0, self.stretch.len_ns);
        }
    }

    fn select(&mut self, selection: Option<SpanRef>) {
        self.selection = selection;
        if selection.is_some() {
            self.tab = Tab::Details;
        }
    }

    /// The next or previous span on the row of the selection.
    fn step(&mut self, workspace: &Workspace, by: i64) {
        let Some(at) = self.selection else { return };
        let run = workspace.run();
        let trace = run.trace(at.trace);
        let depth = trace.span(at.span).depth;
        let row = workspace
            .index()
            .trace(at.trace)
            .row(trace.track_of(at.span), depth);
        let Some(row) = row else { return };
        let ids = row.ids();
        let here = ids.partition_point(|it| *it < at.span);
        let next = if by > 0 {
            here.checked_add(1)
        } else {
            here.checked_sub(1)
        };
        if let Some(span) = next.and_then(|it| ids.get(it)) {
            self.go_to(
                run,
                SpanRef {
                    trace: at.trace,
                    span: *span,
                },
            );
        }
    }

    /// Selects a span and moves the view only if it is not in it.
    fn go_to(&mut self, run: &Run, at: SpanRef) {
        self.select(Some(at));
        let range = run.range_of(at);
        let (start, end) = (range.start.0 as f64, range.end.0 as f64);
        if end < self.stretch.start_ns || start > self.stretch.end_ns() {
            let middle = f64::midpoint(start, end);
            self.show(run, middle - self.stretch.len_ns / 2.0, self.stretch.len_ns);
        }
    }

    fn follow(
        &mut self,
        workspace: &Workspace,
        outline: &Outline,
        heights: &LaneHeights,
        to_kernel: bool,
    ) {
        let Some(at) = self.selection else { return };
        let run = workspace.run();
        let trace = run.trace(at.trace);
        let target: Option<SpanId> = if to_kernel {
            trace.launched_by(at.span).first().copied()
        } else {
            trace.span(at.span).launch
        };
        let Some(span) = target else { return };
        self.go_to(
            run,
            SpanRef {
                trace: at.trace,
                span,
            },
        );
        self.open_lane_of(
            run,
            outline,
            heights,
            SpanRef {
                trace: at.trace,
                span,
            },
        );
    }

    /// Opens what hides the lane of a span, and scrolls to it.
    fn open_lane_of(&mut self, run: &Run, outline: &Outline, heights: &LaneHeights, at: SpanRef) {
        let track = run.trace(at.trace).track_of(at.span);
        let depth = run.trace(at.trace).span(at.span).depth;
        let key = LaneKey::Track(at.trace, track);
        let shows = |it: &Lane| it.key == key && it.shown_rows > depth;
        let is_listed = self.lanes.iter().any(|it| it.key == key);
        if !self.lanes.iter().any(shows) {
            for group in [
                LaneKey::Rank(at.trace),
                LaneKey::Threads(at.trace),
                LaneKey::Others(at.trace),
            ] {
                if !is_listed
                    && self
                        .lanes
                        .iter()
                        .any(|it| it.key == group && it.open == Some(false))
                    && Self::hides(run, group, at)
                {
                    self.toggles.insert(group, true);
                }
            }
            self.lanes = lanes(run, outline, &self.toggles, heights);
            if !self.lanes.iter().any(shows) {
                self.toggles.insert(key, true);
                self.lanes = lanes(run, outline, &self.toggles, heights);
            }
        }
        self.reveal(key);
    }

    fn hides(run: &Run, group: LaneKey, at: SpanRef) -> bool {
        use crate::model::Role;
        let trace = run.trace(at.trace);
        match (group, trace.track(trace.track_of(at.span)).key.role) {
            (LaneKey::Threads(_), role) => role == Role::Cpu,
            (LaneKey::Others(_), role) => !matches!(role, Role::Cpu | Role::Work),
            _ => true,
        }
    }

    fn reveal(&mut self, key: LaneKey) {
        if let Some(lane) = self.lanes.iter().find(|it| it.key == key) {
            let top = lane.top - heights_above();
            let bottom = lane.top + lane.height + ROOM_BELOW;
            if top < self.scroll {
                self.scroll = top;
            } else if bottom > self.scroll + self.lanes_height {
                self.scroll = bottom - self.lanes_height;
            }
        }
    }

    fn toggle(&mut self, run: &Run, outline: &Outline, heights: &LaneHeights, key: LaneKey) {
        let Some(open) = self
            .lanes
            .iter()
            .find(|it| it.key == key)
            .and_then(|it| it.open)
        else {
            return;
        };
        self.toggles.insert(key, !open);
        self.lanes = lanes(run, outline, &self.toggles, heights);
    }
}

/// Points that a sticky rank header covers at the top.
fn heights_above() -> f32 {
    LaneHeights::default().rank
}
