//! Runs an interface without a window and takes pictures of it.
//!
//! Made to give the same picture everywhere: the clock advances by one sixtieth of a second per pass,
//! nothing is animated, and no font is asked from the system.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are positive and far below the ends of usize"
)]

use egui::{Context, Event, RawInput, Rect, Ui, Vec2, ViewportId, epaint::ClippedShape};

use super::{picture::Picture, raster::Raster};

const SECONDS_PER_PASS: f64 = 1.0 / 60.0;
/// Room for the glyphs of a large picture; memory is taken only as glyphs are used.
const TEXTURE_SIDE_MAX: usize = 8192;

/// An egui context with a made-up screen.
pub struct Headless {
    ctx: Context,
    raster: Raster,
    size_points: Vec2,
    scale: f32,
    pass_count: u32,
    shapes: Vec<ClippedShape>,
}

impl Headless {
    /// A screen of `size_points` with `scale` pixels per point; `setup` installs fonts and theme.
    pub fn new(size_points: Vec2, scale: f32, setup: impl FnOnce(&Context)) -> Self {
        let ctx = Context::default();
        setup(&ctx);
        ctx.all_styles_mut(|style| {
            style.animation_time = 0.0;
            style.scroll_animation = egui::style::ScrollAnimation::none();
            style.visuals.text_cursor.blink = false;
        });
        Self {
            ctx,
            raster: Raster::default(),
            size_points,
            scale,
            pass_count: 0,
            shapes: Vec::new(),
        }
    }

    pub fn ctx(&self) -> &Context {
        &self.ctx
    }

    /// Runs one frame. Sizes of panels and tables settle over the first three.
    pub fn pass(&mut self, events: Vec<Event>, ui: &mut dyn FnMut(&mut Ui)) {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, self.size_points)),
            max_texture_side: Some(TEXTURE_SIDE_MAX),
            time: Some(f64::from(self.pass_count) * SECONDS_PER_PASS),
            events,
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let mut output = self.ctx.run_ui(input, ui);
        self.raster.apply(&mut output.textures_delta);
        self.shapes = output.shapes;
        self.pass_count += 1;
    }

    /// What the last pass showed, over the panel color where it painted nothing.
    pub fn picture(&mut self) -> Picture {
        let primitives = self.ctx.tessellate(self.shapes.clone(), self.scale);
        let size_px = [self.size_points.x, self.size_points.y]
            .map(|points| (points * self.scale).round() as usize);
        let background = self.ctx.global_style().visuals.panel_fill;
        self.raster
            .render(&primitives, self.scale, size_px, background)
    }
}

#[cfg(test)]
mod tests {
    use super::Headless;
    use crate::{
        app::Picture,
        ui::{Theme, install_fonts},
    };
    use egui::{Event, Modifiers, PointerButton, pos2, vec2};

    const SIZE_POINTS: egui::Vec2 = vec2(240.0, 40.0);

    fn headless(scale: f32) -> Headless {
        Headless::new(SIZE_POINTS, scale, |ctx| {
            install_fonts(ctx);
            Theme::dark().apply(ctx);
        })
    }

    fn label_picture(text: &str, scale: f32) -> Picture {
        let mut headless = headless(scale);
        for _ in 0..2 {
            headless.pass(Vec::new(), &mut |ui| {
                ui.label(text);
            });
        }
        headless.picture()
    }

    fn inked_pixel_count(picture: &Picture) -> usize {
        let (pixels, _) = picture.rgba.as_chunks::<4>();
        let background = Theme::dark().surface.panel.to_array();
        pixels.iter().filter(|pixel| **pixel != background).count()
    }

    #[test]
    fn text_is_drawn_in_both_scripts_and_equal_every_time() {
        assert_eq!(inked_pixel_count(&label_picture("", 1.0)), 0);
        for text in ["Exposed communication", "数据加载等待"] {
            let picture = label_picture(text, 1.0);
            assert!(inked_pixel_count(&picture) > 150, "{text}");
            assert_eq!(picture, label_picture(text, 1.0));
        }
        // A box for every missing glyph would look the same for any two hanzi.
        assert_ne!(label_picture("训", 1.0), label_picture("练", 1.0));
    }

    #[test]
    fn scale_gives_more_pixels_for_the_same_points() {
        let picture = label_picture("Lane", 1.5);
        assert_eq!(picture.size_px, [360, 60]);
        assert_eq!(picture.rgba.len(), 360 * 60 * 4);
    }

    #[test]
    fn events_reach_the_interface() {
        let mut headless = headless(1.0);
        let mut click_count = 0;
        let pos = pos2(20.0, 10.0);
        let press = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let moved = vec![Event::PointerMoved(pos)];
        for events in [vec![], moved, vec![press(true)], vec![press(false)]] {
            headless.pass(events, &mut |ui| {
                click_count += u32::from(ui.button("Next gap").clicked());
            });
        }
        assert_eq!(click_count, 1);
    }
}
