//! How a run is looked at: where, which lanes are open, what is selected. Changed by [`View::apply`]
//! alone. One file because every command changes this one state; where it stands, what is selected,
//! how lanes are arranged and stacked, and what can be undone are values of their own beside it.

use std::sync::Arc;

use crate::base::TimeRange;
use crate::model::{Role, Run, SpanRef};
use crate::view::arrangement::Arrangement;
use crate::view::axis::Stretch;
use crate::view::command::{Origin, Slot, Tab, ViewCommand};
use crate::view::history::{Gesture, History, Look};
use crate::view::lane::{Lane, LaneKey};
use crate::view::lane_heights::LaneHeights;
use crate::view::outline::Outline;
use crate::view::position::{Glide, Position, centered, framed, whole, within, zoomed};
use crate::view::selection::Selection;
use crate::view::stack::{Ground, Stack, height};
use crate::view::walk::{along_launch, along_row, thread_of, to_launch, to_work};
use crate::workspace::Workspace;

/// Points below a lane that is brought into sight: its link has a line there.
const ROOM_BELOW: f32 = 24.0;
/// The share of the lanes area that pinned lanes may take.
const PINNED_MAX: f32 = 0.6;
/// A change of at least this much more or less time is shown on its way.
const GLIDES_FROM: f64 = 1.25;

/// The view of one run.
#[derive(Clone, Debug)]
pub struct View {
    position: Position,
    glide: Option<Glide>,
    /// Whether a change of place is shown on its way.
    moves: bool,
    /// Height of the lanes on screen, as last drawn.
    lanes_height: f32,
    arrangement: Arc<Arrangement>,
    stack: Stack,
    selection: Selection,
    history: History,
    bookmarks: [Option<Position>; 9],
    origin: Origin,
    tab: Tab,
    bottom_open: bool,
    revision: u64,
}

impl View {
    /// The whole run with its lanes as they open by default.
    pub fn of_run(run: &Run, outline: &Outline, heights: &LaneHeights) -> Self {
        let ground = Ground {
            run,
            outline,
            heights,
            launching: None,
        };
        let arrangement = Arc::<Arrangement>::default();
        Self {
            position: Position {
                stretch: whole(run),
                scroll: 0.0,
            },
            glide: None,
            moves: false,
            lanes_height: 0.0,
            stack: Stack::of(&ground, &arrangement),
            arrangement,
            selection: Selection::default(),
            history: History::default(),
            bookmarks: [None; 9],
            origin: Origin::default(),
            tab: Tab::Details,
            bottom_open: true,
            revision: 0,
        }
    }

    /// The stretch to draw, which may be on its way.
    pub fn stretch(&self) -> Stretch {
        let to = self.position.stretch;
        self.glide.map_or(to, |it| it.shown(to))
    }

    pub fn scroll(&self) -> f32 {
        self.position.scroll
    }

    /// The lanes that scroll.
    pub fn lanes(&self) -> &[Lane] {
        &self.stack.rest
    }

    /// The lanes above them.
    pub fn pinned(&self) -> &[Lane] {
        &self.stack.pinned
    }

    /// All of them.
    pub fn all_lanes(&self) -> impl Iterator<Item = &Lane> {
        self.stack.all()
    }

    pub fn hidden_count(&self) -> usize {
        self.stack.hidden_count
    }

    /// Height of the lanes that scroll.
    pub fn total_height(&self) -> f32 {
        height(&self.stack.rest)
    }

    /// Height that pinned lanes take.
    pub fn pinned_height(&self) -> f32 {
        let most = if self.lanes_height > 0.0 {
            self.lanes_height * PINNED_MAX
        } else {
            f32::INFINITY
        };
        height(&self.stack.pinned).min(most)
    }

    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    pub fn selected(&self) -> &Selection {
        &self.selection
    }

    /// The span that was selected last.
    pub fn selection(&self) -> Option<SpanRef> {
        self.selection.last()
    }

    /// The selected range of time.
    pub fn range(&self) -> Option<TimeRange> {
        self.selection.range()
    }

    /// The selected lane.
    pub fn lane(&self) -> Option<LaneKey> {
        self.selection.lane()
    }

    /// The lane that commands on lanes mean: the selected one, else that of the selected span.
    pub fn target_lane(&self, run: &Run) -> Option<LaneKey> {
        let of_span = |at: SpanRef| {
            let key = key_of(run, at);
            self.stack.find(key).map(|it| it.key)
        };
        self.lane().or_else(|| of_span(self.selection()?))
    }

    pub fn bookmark(&self, slot: Slot) -> Option<Position> {
        self.bookmarks[slot.index()]
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
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

    /// Tells how high the lanes are drawn, which bounds the scroll.
    pub fn set_lanes_height(&mut self, points: f32) {
        self.lanes_height = points;
        self.clamp_scroll();
    }

    /// Whether changes of place are shown on their way; what is under way then arrives at once.
    pub fn set_moves(&mut self, moves: bool) {
        self.moves = moves;
        if !moves && self.glide.take().is_some() {
            self.revision += 1;
        }
    }

    /// Moves on by a share of the way; false when there is nothing to move.
    pub fn advance(&mut self, share: f64) -> bool {
        let Some(glide) = &mut self.glide else {
            return false;
        };
        if !glide.advance(share) {
            self.glide = None;
        }
        self.revision += 1;
        true
    }

    /// Does `command`.
    pub fn apply(
        &mut self,
        command: ViewCommand,
        workspace: &Workspace,
        outline: &Outline,
        heights: &LaneHeights,
    ) {
        let run: &Run = workspace.run();
        let (before, shown) = (self.look(), self.stretch());
        let ground = |selection: &Selection| Ground {
            run,
            outline,
            heights,
            launching: selection.last().and_then(|it| thread_of(run, it)),
        };
        let launching = ground(&self.selection).launching;
        match command {
            ViewCommand::Zoom { about_ns, factor } => {
                self.position.stretch =
                    zoomed(run, before.position.stretch, shown, about_ns, factor);
            }
            ViewCommand::Pan { share } => self.pan(run, share * self.position.stretch.len_ns),
            ViewCommand::PanBy { ns } => self.pan(run, ns),
            ViewCommand::Show(it) => {
                self.position.stretch = within(run, it.start.0 as f64, it.len().0 as f64);
            }
            ViewCommand::Frame { range, share } => {
                self.position.stretch = framed(run, range, share);
            }
            ViewCommand::WholeRun => self.position.stretch = whole(run),
            ViewCommand::FitSelection => self.fit_selection(run),
            ViewCommand::Scroll { points } => self.position.scroll += points,
            ViewCommand::Reveal(key) => self.reveal(key),
            ViewCommand::Select(span) => self.select(span),
            ViewCommand::AlsoSelect(span) => {
                self.selection.toggle_span(span);
                self.tab = Tab::Details;
            }
            ViewCommand::SelectLane(lane) => self.select_lane(lane),
            ViewCommand::NextLane => self.step_lane(run, 1),
            ViewCommand::PreviousLane => self.step_lane(run, -1),
            ViewCommand::GoTo(at) => self.follow(&ground, Some(at)),
            ViewCommand::GoToLane(key) => {
                self.select_lane(Some(key));
                self.reveal(key);
            }
            ViewCommand::NextSpan => self.step(workspace, 1),
            ViewCommand::PreviousSpan => self.step(workspace, -1),
            ViewCommand::ToKernel => self.follow_from(&ground, |it| to_work(run, it)),
            ViewCommand::ToLaunch => self.follow_from(&ground, |it| to_launch(run, it)),
            ViewCommand::NextOfLaunch => self.follow_from(&ground, |it| along_launch(run, it, 1)),
            ViewCommand::PreviousOfLaunch => {
                self.follow_from(&ground, |it| along_launch(run, it, -1));
            }
            ViewCommand::SetRange(range) => self.selection.set_range(range),
            ViewCommand::RangeFromSelection => {
                let hull = self.selection.hull(run);
                self.selection.set_range(hull);
            }
            ViewCommand::MeasureFrom(time) => self.selection.measure_from(time),
            ViewCommand::Mark => {
                let hull = self.selection.hull(run);
                let is_marked = hull.is_some() && self.selection.mark() == hull;
                self.selection.set_mark(hull.filter(|_| !is_marked));
            }
            ViewCommand::Unmark => self.selection.set_mark(None),
            ViewCommand::Toggle(key) => self.toggle(key),
            ViewCommand::Pin(key) => self.arrange().toggle_pin(key),
            ViewCommand::Hide(key) => self.arrange().hide(key),
            ViewCommand::Solo(key) => self.arrange().toggle_alone(key),
            ViewCommand::Heighten(key) => self.arrange().toggle_high(key),
            ViewCommand::MoveLane { lane, before } => {
                let siblings = self.stack.siblings(lane);
                self.arrange().put(lane, before, &siblings);
            }
            ViewCommand::ShowAllLanes => self.arrange().show_all(),
            ViewCommand::OnlyBands => self.arrange().toggle_only_bands(),
            ViewCommand::SetOrigin(origin) => self.origin = origin,
            ViewCommand::Store(slot) => self.bookmarks[slot.index()] = Some(self.position),
            ViewCommand::Recall(slot) => {
                self.position = self.bookmark(slot).unwrap_or(self.position);
            }
            ViewCommand::Undo => self.come_back(History::undo),
            ViewCommand::Redo => self.come_back(History::redo),
            ViewCommand::ClearOneLevel => self.selection.clear_one_level(),
            ViewCommand::ShowTab(tab) => {
                self.tab = tab;
                self.bottom_open = true;
            }
            ViewCommand::ToggleBottomPanel => self.bottom_open = !self.bottom_open,
        }
        let ground = ground(&self.selection);
        let is_other = !Arc::ptr_eq(&before.arrangement, &self.arrangement);
        if is_other || ground.launching != launching {
            self.restack(&ground, anchor(run, command, &self.selection));
        }
        self.clamp_scroll();
        self.remember(command, before);
        self.set_out(command, shown);
        self.revision += 1;
    }

    fn look(&self) -> Look {
        Look {
            position: self.position,
            arrangement: Arc::clone(&self.arrangement),
        }
    }

    fn arrange(&mut self) -> &mut Arrangement {
        Arc::make_mut(&mut self.arrangement)
    }

    /// Keeps where one came from, if one is elsewhere now. Scrolling alone is nothing to undo.
    fn remember(&mut self, command: ViewCommand, before: Look) {
        let gesture = match command {
            ViewCommand::Undo | ViewCommand::Redo => return,
            ViewCommand::Zoom { .. } => Gesture::Zoom,
            ViewCommand::Pan { .. } | ViewCommand::PanBy { .. } => Gesture::Pan,
            _ => Gesture::Jump,
        };
        let moved = before.position.stretch != self.position.stretch;
        if moved || before.arrangement != self.arrangement {
            self.history.left(before, gesture, self.position);
        }
    }

    fn come_back(&mut self, way: impl FnOnce(&mut History, Look) -> Option<Look>) {
        let now = self.look();
        if let Some(look) = way(&mut self.history, now) {
            self.position = look.position;
            self.arrangement = look.arrangement;
        }
    }

    /// Lets a jump be seen on its way; what a hand moves is where the hand is.
    fn set_out(&mut self, command: ViewCommand, from: Stretch) {
        let by_hand = match command {
            ViewCommand::PanBy { .. } => true,
            ViewCommand::Zoom { factor, .. } => factor.max(1.0 / factor) < GLIDES_FROM,
            _ => false,
        };
        if by_hand {
            self.glide = None;
        } else if self.moves && from != self.position.stretch {
            self.glide = Some(Glide::new(from));
        }
    }

    /// Works the lanes out anew; `anchor` stays where it is on the screen.
    fn restack(&mut self, ground: &Ground<'_>, anchor: Option<LaneKey>) {
        let top = |it: &Stack| {
            let mut rest = it.rest.iter();
            rest.find(|it| Some(it.key) == anchor).map(|it| it.top)
        };
        let before = top(&self.stack);
        self.stack = Stack::of(ground, &self.arrangement);
        if let (Some(before), Some(after)) = (before, top(&self.stack)) {
            self.position.scroll += after - before;
        }
    }

    fn scrolling_height(&self) -> f32 {
        self.lanes_height - self.pinned_height()
    }

    fn clamp_scroll(&mut self) {
        let lowest = (self.total_height() - self.scrolling_height()).max(0.0);
        self.position.scroll = self.position.scroll.clamp(0.0, lowest);
    }

    fn pan(&mut self, run: &Run, ns: f64) {
        let Stretch { start_ns, len_ns } = self.position.stretch;
        self.position.stretch = within(run, start_ns + ns, len_ns);
    }

    /// Centers what is selected; where it is in the middle, fits it.
    fn fit_selection(&mut self, run: &Run) {
        let Some(range) = self.selection.hull(run) else {
            return;
        };
        let here = self.position.stretch;
        let there = centered(run, range, here.len_ns);
        self.position.stretch = if (there.start_ns - here.start_ns).abs() < here.len_ns * 1e-3 {
            framed(run, range, 0.6)
        } else {
            there
        };
    }

    fn select(&mut self, span: Option<SpanRef>) {
        self.selection.set_span(span);
        if span.is_some() {
            self.tab = Tab::Details;
        }
    }

    fn select_lane(&mut self, lane: Option<LaneKey>) {
        self.selection.set_lane(lane);
        if lane.is_some() {
            self.tab = Tab::Details;
        }
    }

    /// The lane below or above, bands left out.
    fn step_lane(&mut self, run: &Run, by: isize) {
        let is_target = |it: &&Lane| !matches!(it.key, LaneKey::Band(..));
        let lanes: Vec<LaneKey> = self
            .stack
            .all()
            .filter(is_target)
            .map(|it| it.key)
            .collect();
        let here = self.target_lane(run);
        let here = here.and_then(|it| lanes.iter().position(|other| *other == it));
        let next = match here {
            Some(here) => here.checked_add_signed(by),
            None => Some(0),
        };
        if let Some(key) = next.and_then(|it| lanes.get(it)) {
            self.select_lane(Some(*key));
            self.reveal(*key);
        }
    }

    /// The next or previous span on the row of the selection.
    fn step(&mut self, workspace: &Workspace, by: isize) {
        let next = self.selection().and_then(|it| along_row(workspace, it, by));
        if let Some(next) = next {
            self.go_to(workspace.run(), next);
        }
    }

    /// Selects a span and moves the view only if it is not in it.
    fn go_to(&mut self, run: &Run, at: SpanRef) {
        self.select(Some(at));
        let range = run.range_of(at);
        let here = self.position.stretch;
        if (range.end.0 as f64) < here.start_ns || range.start.0 as f64 > here.end_ns() {
            self.position.stretch = centered(run, range, here.len_ns);
        }
    }

    fn follow_from<'a>(
        &mut self,
        ground: &impl Fn(&Selection) -> Ground<'a>,
        way: impl FnOnce(SpanRef) -> Option<SpanRef>,
    ) {
        let to = self.selection().and_then(way);
        self.follow(ground, to);
    }

    /// Selects a span, opens what hides its lane, and moves to it.
    fn follow<'a>(&mut self, ground: &impl Fn(&Selection) -> Ground<'a>, to: Option<SpanRef>) {
        let Some(at) = to else { return };
        self.select(Some(at));
        let ground = ground(&self.selection);
        self.go_to(ground.run, at);
        self.restack(&ground, None);
        self.open_lane_of(&ground, at);
        self.reveal(key_of(ground.run, at));
    }

    fn open_lane_of(&mut self, ground: &Ground<'_>, at: SpanRef) {
        let depth = ground.run.span(at).depth;
        let key = key_of(ground.run, at);
        let shows = |it: &Stack| it.find(key).is_some_and(|it| it.shown_rows > depth);
        if shows(&self.stack) {
            return;
        }
        if self.stack.find(key).is_none() {
            for group in groups_of(ground.run, at) {
                let closed = self
                    .stack
                    .find(group)
                    .is_some_and(|it| it.open == Some(false));
                if closed {
                    self.arrange().set_open(group, true);
                    self.stack = Stack::of(ground, &self.arrangement);
                }
            }
        }
        if self.stack.find(key).is_none() {
            // It was hidden by hand.
            self.arrange().show_all();
        } else if !shows(&self.stack) {
            self.arrange().set_open(key, true);
        }
        self.stack = Stack::of(ground, &self.arrangement);
    }

    fn reveal(&mut self, key: LaneKey) {
        let Some(lane) = self.stack.rest.iter().find(|it| it.key == key) else {
            return;
        };
        let top = lane.top - heights_above(lane);
        let bottom = lane.bottom() + ROOM_BELOW;
        if top < self.position.scroll {
            self.position.scroll = top;
        } else if bottom > self.position.scroll + self.scrolling_height() {
            self.position.scroll = bottom - self.scrolling_height();
        }
    }

    fn toggle(&mut self, key: LaneKey) {
        let open = self.stack.find(key).and_then(|it| it.open);
        if let Some(open) = open {
            self.arrange().set_open(key, !open);
        }
    }
}

/// What stays in place on the screen while lanes come and go.
fn anchor(run: &Run, command: ViewCommand, selection: &Selection) -> Option<LaneKey> {
    match command {
        ViewCommand::Toggle(key) | ViewCommand::Heighten(key) => Some(key),
        _ => selection.last().map(|it| key_of(run, it)),
    }
}

/// The lane of a span.
fn key_of(run: &Run, at: SpanRef) -> LaneKey {
    LaneKey::Track(at.trace, run.trace(at.trace).track_of(at.span))
}

/// The lanes that hide the lane of a span while they are closed, outermost first.
fn groups_of(run: &Run, at: SpanRef) -> Vec<LaneKey> {
    let trace = run.trace(at.trace);
    let key = &trace.track(trace.track_of(at.span)).key;
    let mut groups = vec![LaneKey::Rank(at.trace)];
    match key.role {
        Role::Work => groups.extend(key.device.map(|it| LaneKey::Device(at.trace, it))),
        Role::Cpu => groups.push(LaneKey::Threads(at.trace)),
        _ => groups.push(LaneKey::Others(at.trace)),
    }
    groups
}

/// Points that a sticky rank header covers at the top.
fn heights_above(lane: &Lane) -> f32 {
    if lane.level == 0 {
        0.0
    } else {
        LaneHeights::default().rank
    }
}
