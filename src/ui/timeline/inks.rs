//! Inks to the colors of the theme, and the color of text on them.

use egui::Color32;

use crate::model::{Class, Kind};
use crate::ui::theme::{CpuInks, DataInks, Theme};
use crate::view::Ink;

/// The color of an ink.
pub(super) fn color_of(theme: &Theme, ink: Ink) -> Color32 {
    role_of(&theme.data, &theme.cpu, ink)
}

/// The color of text on an ink.
pub(super) fn text_color_on(theme: &Theme, ink: Ink) -> Color32 {
    role_of(&theme.on_data, &theme.on_cpu, ink)
}

/// The role of an ink, in the table of fills or in that of texts.
fn role_of(data: &DataInks, cpu: &CpuInks, ink: Ink) -> Color32 {
    match ink {
        Ink::Class(class) => match class {
            Class::Gemm => data.gemm,
            Class::Attention => data.attention,
            Class::Elementwise => data.elementwise,
            Class::Other => data.other,
            Class::Communication => data.communication,
            Class::Copy => data.copy,
            Class::Memset => data.memset,
        },
        Ink::Kind(kind) => match kind {
            Kind::Runtime | Kind::Driver => cpu.runtime,
            Kind::Python => cpu.python,
            Kind::Annotation | Kind::GpuAnnotation | Kind::Window | Kind::Async => cpu.annotation,
            Kind::Sync | Kind::Marker => data.memset,
            Kind::Overhead => data.other,
            _ => cpu.op,
        },
    }
}
