//! How egui's stock widgets wear the theme: fills, strokes, text sizes and spacing.

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle,
    Visuals, style::WidgetVisuals, vec2,
};

use super::theme::Theme;

/// Names of the text styles beyond egui's own, for `TextStyle::Name`.
pub const TITLE: &str = "title";
pub const TINY: &str = "tiny";
pub const BAR_LABEL: &str = "bar label";
pub const RULER: &str = "ruler";

impl Theme {
    /// Dresses egui in this theme and shows it; how fast things move is left as it was.
    pub fn apply(&self, ctx: &Context) {
        let mode = if self.dark_mode {
            egui::Theme::Dark
        } else {
            egui::Theme::Light
        };
        ctx.style_mut_of(mode, |style| {
            self.dress_text(style);
            self.dress_spacing(style);
            self.dress_visuals(&mut style.visuals);
        });
        ctx.set_theme(mode);
    }

    fn dress_text(&self, style: &mut Style) {
        let sizes = &self.sizes.text;
        let named = |name: &str| TextStyle::Name(name.into());
        let proportional = |points| FontId::new(points, FontFamily::Proportional);
        let monospace = |points| FontId::new(points, FontFamily::Monospace);
        style.text_styles = [
            (TextStyle::Heading, proportional(sizes.heading)),
            (named(TITLE), proportional(sizes.title)),
            (TextStyle::Body, proportional(sizes.body)),
            (TextStyle::Button, proportional(sizes.body)),
            (TextStyle::Small, proportional(sizes.small)),
            (named(TINY), proportional(sizes.tiny)),
            (TextStyle::Monospace, monospace(sizes.mono)),
            (named(BAR_LABEL), proportional(sizes.bar_label)),
            (named(RULER), monospace(sizes.ruler)),
        ]
        .into();
        style.drag_value_text_style = TextStyle::Monospace;
    }

    fn dress_spacing(&self, style: &mut Style) {
        let sizes = &self.sizes.spacing;
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(sizes.m, sizes.s);
        // A field puts its text at the top, so the padding has to center it; rows are 1.2 texts high.
        let above = (sizes.button_height - 1.2 * self.sizes.text.body) / 2.0;
        spacing.button_padding = vec2(sizes.m, above.floor());
        spacing.interact_size = vec2(sizes.button_height, sizes.button_height);
        spacing.indent = sizes.xl;
        spacing.icon_spacing = sizes.s;
        spacing.window_margin = margin(sizes.panel_padding);
        spacing.menu_margin = margin(sizes.s);
        spacing.scroll.bar_width = sizes.m;
        spacing.scroll.content_margin = Margin::ZERO;
    }

    fn dress_visuals(&self, visuals: &mut Visuals) {
        let (surface, text, line, state) = (&self.surface, &self.text, &self.line, &self.state);
        let hair = self.sizes.stroke.hair;
        let radius = corner_radius(self.sizes.spacing.radius);
        let widget = |fill: Color32, edge: Color32, label: Color32| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(hair, edge),
            corner_radius: radius,
            fg_stroke: Stroke::new(hair, label),
            expansion: 0.0,
        };
        let widgets = &mut visuals.widgets;
        widgets.noninteractive = widget(surface.panel, line.separator, text.primary);
        widgets.inactive = widget(surface.raised, line.separator, text.primary);
        widgets.hovered = widget(line.grid_major, line.border, text.primary);
        widgets.active = widget(line.border, line.step, text.primary);
        widgets.open = widget(surface.header, line.border, text.primary);

        visuals.dark_mode = self.dark_mode;
        visuals.text_options = if self.dark_mode {
            Visuals::dark().text_options
        } else {
            Visuals::light().text_options
        };
        visuals.selection.bg_fill = state.focus.gamma_multiply(0.18);
        visuals.selection.stroke = Stroke::new(hair, state.focus);
        visuals.text_cursor.stroke.color = text.primary;
        // A window at rest paints nothing, also while a field waits for text.
        visuals.text_cursor.blink = false;
        visuals.override_text_color = None;
        visuals.weak_text_color = Some(text.muted);
        visuals.hyperlink_color = text.link;
        visuals.warn_fg_color = self.severity.medium;
        visuals.error_fg_color = self.severity.high;

        visuals.panel_fill = surface.panel;
        visuals.window_fill = surface.panel;
        visuals.window_stroke = Stroke::new(hair, line.border);
        visuals.extreme_bg_color = surface.field;
        visuals.text_edit_bg_color = Some(surface.field);
        visuals.code_bg_color = surface.field;
        visuals.faint_bg_color = surface.header;
        visuals.window_corner_radius = radius;
        visuals.menu_corner_radius = radius;
        visuals.window_shadow = Shadow::NONE;
        visuals.popup_shadow = Shadow::NONE;
        visuals.indent_has_left_vline = false;
        visuals.slider_trailing_fill = true;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "tokens are small whole points"
)]
fn margin(points: f32) -> Margin {
    Margin::same(points.round() as i8)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tokens are small whole points"
)]
fn corner_radius(points: f32) -> CornerRadius {
    CornerRadius::same(points.round() as u8)
}

#[cfg(test)]
mod tests {
    use super::{RULER, Theme};
    use egui::{Context, TextStyle};

    #[test]
    fn applying_a_theme_shows_it_and_keeps_the_motion() {
        let ctx = Context::default();
        ctx.all_styles_mut(|style| style.animation_time = 0.0);
        for theme in [Theme::dark(), Theme::light()] {
            theme.apply(&ctx);
            let style = ctx.global_style();
            assert_eq!(style.visuals.panel_fill, theme.surface.panel);
            assert_eq!(style.text_styles[&TextStyle::Name(RULER.into())].size, 10.5);
            assert_eq!(style.animation_time, 0.0);
            assert_eq!(Theme::of(&ctx), theme);
        }
    }
}
