//! The look as one table of roles: which color and measure each thing has, in dark and in light.
//!
//! The table is `assets/tokens.json`, checked by a test and built into the program. No other file
//! makes colors; it asks here for a role.

use std::sync::LazyLock;

use egui::Color32;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::sizes::Sizes;

const TOKENS_JSON: &str = include_str!("../../assets/tokens.json");

static THEMES: LazyLock<[Theme; 2]> =
    LazyLock::new(|| themes_from_json(TOKENS_JSON).unwrap_or_default());

macro_rules! inks {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $(#[serde(deserialize_with = "color")] pub $field: Color32),* }
    )*};
}

inks! {
    SurfaceInks { canvas, lane_alt, panel, header, raised, field, scrim }
    TextInks { primary, secondary, muted, disabled, on_accent, link }
    LineInks { grid, grid_major, separator, border, step, now }
    DataInks { gemm, attention, elementwise, other, communication, copy, memset }
    CpuInks { op, runtime, python, annotation }
    BandInks { compute, overlapped, exposed_communication, exposed_copy, idle, unknown }
    GapInks { launch, sync, host, data_loading, comm_wait, unknown }
    SeverityInks { high, medium, low, good }
    DeltaInks { slower, faster, same }
    StateInks {
        selection, selection_halo, hover, range_fill, range_edge, search, link, focus,
    }
    RunInks { a, b }
    MemoryInks { allocated, reserved, limit }
}

/// How a gap is told apart without color.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GapCode {
    pub letter: char,
    pub hatch: Hatch,
    #[serde(rename = "pitch")]
    pub pitch_points: f32,
}

/// The direction of the lines a gap is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Hatch {
    #[serde(rename = "/")]
    Rising,
    #[serde(rename = "\\")]
    Falling,
    #[serde(rename = "x")]
    Crossed,
    #[serde(rename = ".")]
    Dotted,
}

impl Default for GapCode {
    fn default() -> Self {
        Self {
            letter: '?',
            hatch: Hatch::Dotted,
            pitch_points: 6.0,
        }
    }
}

/// The code of each gap cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GapCodes {
    pub launch: GapCode,
    pub sync: GapCode,
    pub host: GapCode,
    pub data_loading: GapCode,
    pub comm_wait: GapCode,
    pub unknown: GapCode,
}

/// Colors and measures by role. `on_data` and `on_cpu` are the label colors on bars of that role.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Theme {
    pub dark_mode: bool,
    pub surface: SurfaceInks,
    pub text: TextInks,
    pub line: LineInks,
    pub data: DataInks,
    pub cpu: CpuInks,
    pub band: BandInks,
    pub gap: GapInks,
    pub severity: SeverityInks,
    pub delta: DeltaInks,
    pub state: StateInks,
    pub run: RunInks,
    pub memory: MemoryInks,
    pub on_data: DataInks,
    pub on_cpu: CpuInks,
    pub gap_codes: GapCodes,
    pub sizes: Sizes,
}

impl Theme {
    /// For screens.
    pub fn dark() -> &'static Self {
        &THEMES[0]
    }

    /// For documents and bright rooms.
    pub fn light() -> &'static Self {
        &THEMES[1]
    }

    /// The one egui shows at present.
    pub fn of(ctx: &egui::Context) -> &'static Self {
        match ctx.theme() {
            egui::Theme::Dark => Self::dark(),
            egui::Theme::Light => Self::light(),
        }
    }
}

#[derive(Deserialize)]
struct Tokens {
    themes: Palettes,
    gap_codes: GapCodes,
    sizes: Sizes,
}

#[derive(Deserialize)]
struct Palettes {
    dark: Palette,
    light: Palette,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Palette {
    surface: SurfaceInks,
    text: TextInks,
    line: LineInks,
    data: DataInks,
    cpu: CpuInks,
    band: BandInks,
    gap: GapInks,
    severity: SeverityInks,
    delta: DeltaInks,
    state: StateInks,
    run: RunInks,
    memory: MemoryInks,
    on_data: DataInks,
    on_cpu: CpuInks,
}

/// Dark, then light.
fn themes_from_json(json: &str) -> Result<[Theme; 2], serde_json::Error> {
    let Tokens {
        themes,
        gap_codes,
        sizes,
    } = serde_json::from_str(json)?;
    let theme = |dark_mode, palette: Palette| Theme {
        dark_mode,
        surface: palette.surface,
        text: palette.text,
        line: palette.line,
        data: palette.data,
        cpu: palette.cpu,
        band: palette.band,
        gap: palette.gap,
        severity: palette.severity,
        delta: palette.delta,
        state: palette.state,
        run: palette.run,
        memory: palette.memory,
        on_data: palette.on_data,
        on_cpu: palette.on_cpu,
        gap_codes,
        sizes,
    };
    Ok([theme(true, themes.dark), theme(false, themes.light)])
}

/// Reads `#RRGGBB` or `#RRGGBBAA`.
fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color32, D::Error> {
    let hex = String::deserialize(deserializer)?;
    let digits = hex.strip_prefix('#').unwrap_or_default();
    let number = u32::from_str_radix(digits, 16);
    match (number, digits.len()) {
        (Ok(number), 6) => Ok(color_from_rgba(number << 8 | 0xFF)),
        (Ok(number), 8) => Ok(color_from_rgba(number)),
        _ => Err(D::Error::custom(format_args!("not a color, {hex}"))),
    }
}

fn color_from_rgba(number: u32) -> Color32 {
    let [red, green, blue, alpha] = number.to_be_bytes();
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::{TOKENS_JSON, Theme, themes_from_json};
    use egui::Color32;

    #[test]
    fn the_built_in_table_is_whole() {
        themes_from_json(TOKENS_JSON).unwrap();
        let (dark, light) = (Theme::dark(), Theme::light());
        assert_eq!(dark.surface.canvas.to_array(), [0x14, 0x17, 0x1C, 255]);
        assert_eq!(light.surface.canvas, Color32::WHITE);
        assert_eq!(light.state.range_fill.a(), 0x14);
        assert_eq!(dark.sizes.lane_header_width, 232.0);
        assert_eq!(dark.gap_codes.sync.letter, 'S');
        assert!(dark.dark_mode && !light.dark_mode);
    }

    #[test]
    fn a_misspelled_role_or_color_is_refused() {
        assert!(themes_from_json(&TOKENS_JSON.replace("lane_alt", "lane_alter")).is_err());
        assert!(themes_from_json(&TOKENS_JSON.replace("#14171C", "#14171")).is_err());
    }
}
