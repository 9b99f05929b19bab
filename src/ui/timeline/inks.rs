//! Inks to the colors of the theme, and the color of text on them.

use egui::Color32;

use crate::ui::theme::Theme;
use crate::view::Ink;

/// The color of an ink.
pub(super) fn color_of(theme: &Theme, ink: Ink) -> Color32 {
    use crate::model::{Class, Kind};
    match ink {
        Ink::Class(class) => match class {
            Class::Gemm => theme.data.gemm,
            Class::Attention => theme.data.attention,
            Class::Elementwise => theme.data.elementwise,
            Class::Other => theme.data.other,
            Class::Communication => theme.data.communication,
            Class::Copy => theme.data.copy,
            Class::Memset => theme.data.memset,
        },
        Ink::Kind(kind) => match kind {
            Kind::Runtime | Kind::Driver => theme.cpu.runtime,
            Kind::Python => theme.cpu.python,
            Kind::Annotation | Kind::GpuAnnotation | Kind::Window | Kind::Async => {
                theme.cpu.annotation
            }
            Kind::Sync | Kind::Marker => theme.data.memset,
            Kind::Overhead => theme.data.other,
            _ => theme.cpu.op,
        },
    }
}

/// The color of text on an ink.
pub(super) fn text_color_on(theme: &Theme, ink: Ink) -> Color32 {
    use crate::model::{Class, Kind};
    match ink {
        Ink::Class(class) => match class {
            Class::Gemm => theme.on_data.gemm,
            Class::Attention => theme.on_data.attention,
            Class::Elementwise => theme.on_data.elementwise,
            Class::Other => theme.on_data.other,
            Class::Communication => theme.on_data.communication,
            Class::Copy => theme.on_data.copy,
            Class::Memset => theme.on_data.memset,
        },
        Ink::Kind(kind) => match kind {
            Kind::Runtime | Kind::Driver => theme.on_cpu.runtime,
            Kind::Python => theme.on_cpu.python,
            Kind::Annotation | Kind::GpuAnnotation | Kind::Window | Kind::Async => {
                theme.on_cpu.annotation
            }
            Kind::Sync | Kind::Marker => theme.on_data.memset,
            Kind::Overhead => theme.on_data.other,
            _ => theme.on_cpu.op,
        },
    }
}
