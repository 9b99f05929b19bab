//! The measures of the interface, in egui points unless their name says otherwise.
//!
//! Typed shape of `sizes` in `assets/tokens.json`; the numbers live there.

use serde::Deserialize;

macro_rules! sizes {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $(pub $field: f32),* }
    )*};
}

sizes! {
    RightPanelSizes { width, min, max }
    BottomPanelSizes { height, min, max_fraction }
    LaneSizes {
        run_header, rank_header, device_header, stream, sub_lane, sub_lanes_max_before_scroll, band,
        cpu_row, cpu_collapsed, python_row, memory, counter, steps, heat_row, heat_row_min,
        gap_between_devices,
    }
    BarSizes {
        inset_y, radius, gap_min_x, visible_min, label_min, label_pad, fold_below,
        density_below_mean,
    }
    GapMarkSizes { draw_min, label_min, duration_only_min, hatch_pitch, hatch_width }
    TextSizes { heading, title, body, small, tiny, mono, bar_label, ruler }
    Spacing {
        xs, s, m, l, xl, panel_padding, table_row, table_header, button_height, radius,
    }
    StrokeSizes { hair, selection, selection_halo, severity_mark }
}

/// Durations of movement; all of them 0 where motion is unwanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct Motion {
    pub zoom_ms: f32,
    pub reveal_ms: f32,
}

/// Every measure of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct Sizes {
    pub top_bar: f32,
    pub overview: f32,
    pub ruler: f32,
    pub status_bar: f32,
    pub lane_header_width: f32,
    pub right_panel: RightPanelSizes,
    pub bottom_panel: BottomPanelSizes,
    pub lane: LaneSizes,
    pub bar: BarSizes,
    pub gap_mark: GapMarkSizes,
    pub text: TextSizes,
    pub spacing: Spacing,
    pub stroke: StrokeSizes,
    pub motion: Motion,
}
