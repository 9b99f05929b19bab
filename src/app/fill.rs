//! Fills one band of rows with axis-aligned quads and triangles.
//!
//! Corners are snapped to 1/256 pixel, and a pixel is covered when its center is inside, where an edge
//! that runs through a center takes it only as a top or a left one. So neighbors share no pixel and
//! leave none out, and a quad covers what its two triangles would. Every pixel follows from its own
//! place alone, whatever band it is in.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "positions are clamped to a span of pixels before they are cast"
)]

use super::texture::{Ink, Tap, Texture, WHITE, blend, tint};

/// Steps within one pixel.
const STEPS: i64 = 256;
/// Farther out than this a corner is drawn nearer; products of two distances still fit 64 bits.
const FARTHEST_PX: f64 = 1_048_576.0;

/// A vertex in pixels of the picture.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub at_px: [f64; 2],
    pub uv: [f64; 2],
    pub ink: Ink,
}

/// A rectangle of one color whose texture runs along its sides.
pub(super) struct Quad {
    pub from: Corner,
    pub to: Corner,
}

/// Half-open ranges of pixels: `[left, right)` and `[top, bottom)`.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    pub x: [i64; 2],
    pub y: [i64; 2],
}

/// Some rows of the picture; positions stay those of the whole.
pub(super) struct Band<'a> {
    pub width: usize,
    pub first_row: usize,
    pub pixels: &'a mut [Ink],
    pub taps: Vec<Tap>,
}

fn steps(px: f64) -> i64 {
    (px.clamp(-FARTHEST_PX, FARTHEST_PX) * STEPS as f64).round() as i64
}

/// The first pixel whose center is not before this place.
fn first_pixel(place_steps: i64) -> i64 {
    -(STEPS / 2 - place_steps).div_euclid(STEPS)
}

fn overlap(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0].max(b[0]), a[1].min(b[1])]
}

impl Band<'_> {
    /// Narrows a clip to these rows; nothing when none of them is inside.
    pub(super) fn clip(&self, clip: Clip) -> Option<Clip> {
        let first = self.first_row as i64;
        let rows = (self.pixels.len() / self.width) as i64;
        let y = overlap(clip.y, [first, first + rows]);
        let x = overlap(clip.x, [0, self.width as i64]);
        (x[0] < x[1] && y[0] < y[1]).then_some(Clip { x, y })
    }

    /// The pixels of one row; the range is inside the clip, hence inside the band.
    fn row(&mut self, y: i64, x: [i64; 2]) -> &mut [Ink] {
        let start = (y as usize - self.first_row) * self.width;
        &mut self.pixels[start + x[0] as usize..start + x[1] as usize]
    }

    pub(super) fn quad(&mut self, quad: &Quad, texture: &Texture, clip: Clip) {
        let (from, to) = (&quad.from, &quad.to);
        let covered = |axis: usize| [from, to].map(|corner| first_pixel(steps(corner.at_px[axis])));
        let x = overlap(covered(0), clip.x);
        let y = overlap(covered(1), clip.y);
        if x[0] >= x[1] || y[0] >= y[1] {
            return;
        }
        if from.uv == to.uv {
            let ink = tint(from.ink, texture.at(from.uv));
            for row in y[0]..y[1] {
                fill(self.row(row, x), ink);
            }
            return;
        }
        let coordinate = |axis: usize, pixel: i64| {
            let side_px = to.at_px[axis] - from.at_px[axis];
            let part = (pixel as f64 + 0.5 - from.at_px[axis]) / side_px;
            from.uv[axis] + part * (to.uv[axis] - from.uv[axis])
        };
        let mut taps = std::mem::take(&mut self.taps);
        taps.clear();
        taps.extend((x[0]..x[1]).map(|pixel| texture.column(coordinate(0, pixel))));
        for row in y[0]..y[1] {
            let row_tap = texture.row(coordinate(1, row));
            for (pixel, column_tap) in self.row(row, x).iter_mut().zip(&taps) {
                let texel = texture.sample(*column_tap, row_tap);
                if texel != [0; 4] {
                    blend(pixel, tint(from.ink, texel));
                }
            }
        }
        self.taps = taps;
    }

    pub(super) fn triangle(&mut self, corners: [Corner; 3], texture: &Texture, clip: Clip) {
        let Some(shape) = Shape::new(corners) else {
            return;
        };
        let paint = Paint::new(&shape.corners, texture);
        let y = overlap(shape.rows(), clip.y);
        for row in y[0]..y[1] {
            let x = shape.span(row, clip.x);
            if x[0] >= x[1] {
                continue;
            }
            let pixels = self.row(row, x);
            if let Paint::Flat(ink) = paint {
                fill(pixels, ink);
                continue;
            }
            for (pixel, column) in pixels.iter_mut().zip(x[0]..) {
                blend(
                    pixel,
                    paint.ink(&shape.corners, shape.weights(column, row), texture),
                );
            }
        }
    }
}

fn fill(pixels: &mut [Ink], ink: Ink) {
    match ink {
        [0, 0, 0, 0] => {}
        [_, _, _, 255] => pixels.fill(ink),
        _ => pixels.iter_mut().for_each(|pixel| blend(pixel, ink)),
    }
}

/// One side of a triangle: `at + across * x + down * y` is positive inside, in pixels from the
/// center of pixel (0, 0).
struct Edge {
    at: i64,
    across: i64,
    down: i64,
    /// The least value that still counts as inside.
    least: i64,
}

impl Edge {
    fn new(from: [i64; 2], to: [i64; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let half = STEPS / 2;
        let takes_centers = dy < 0 || (dy == 0 && dx > 0);
        Self {
            at: dx * (half - from[1]) - dy * (half - from[0]),
            across: -dy * STEPS,
            down: dx * STEPS,
            least: i64::from(!takes_centers),
        }
    }

    fn value(&self, x: i64, y: i64) -> i64 {
        self.at + self.across * x + self.down * y
    }

    /// The part of a row's pixels `x` that is inside.
    fn narrow(&self, y: i64, x: [i64; 2]) -> [i64; 2] {
        let short = self.least - (self.at + self.down * y);
        match self.across.signum() {
            1 => overlap(x, [-(-short).div_euclid(self.across), i64::MAX]),
            -1 => overlap(x, [i64::MIN, (-short).div_euclid(-self.across) + 1]),
            _ if short <= 0 => x,
            _ => [x[1], x[1]],
        }
    }
}

/// A triangle turned so that its inside is on the positive side of all edges.
struct Shape {
    corners: [Corner; 3],
    edges: [Edge; 3],
    y_steps: [i64; 2],
    area: i64,
}

impl Shape {
    /// Nothing when no pixel can be covered.
    fn new(mut corners: [Corner; 3]) -> Option<Self> {
        let mut points = corners.map(|corner| corner.at_px.map(steps));
        let area = |[a, b, c]: [[i64; 2]; 3]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        if area(points) < 0 {
            points.swap(1, 2);
            corners.swap(1, 2);
        }
        let [a, b, c] = points;
        let area = area(points);
        (area > 0).then(|| Self {
            corners,
            edges: [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)],
            y_steps: [a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1])],
            area,
        })
    }

    fn rows(&self) -> [i64; 2] {
        self.y_steps.map(first_pixel)
    }

    fn span(&self, y: i64, x: [i64; 2]) -> [i64; 2] {
        self.edges.iter().fold(x, |x, edge| edge.narrow(y, x))
    }

    /// How much each corner counts at the center of a pixel.
    fn weights(&self, x: i64, y: i64) -> [f64; 3] {
        [0, 1, 2].map(|it| self.edges[it].value(x, y) as f64 / self.area as f64)
    }
}

/// What a triangle is painted with, settled once for all of its pixels.
enum Paint {
    /// One color.
    Flat(Ink),
    /// Colors run from corner to corner, seen through one texel.
    Blended(Ink),
    /// Texture coordinates run as well.
    Textured,
}

impl Paint {
    fn new(corners: &[Corner; 3], texture: &Texture) -> Self {
        let [a, b, c] = corners;
        if a.uv != b.uv || a.uv != c.uv {
            return Self::Textured;
        }
        let texel = texture.at(a.uv);
        if a.ink == b.ink && a.ink == c.ink {
            Self::Flat(tint(a.ink, texel))
        } else {
            Self::Blended(texel)
        }
    }

    fn ink(&self, corners: &[Corner; 3], weights: [f64; 3], texture: &Texture) -> Ink {
        let mix = |values: [f64; 3]| {
            values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2]
        };
        let texel = match self {
            Self::Flat(ink) => return *ink,
            Self::Blended(texel) => *texel,
            Self::Textured => {
                texture.at([0, 1].map(|axis| mix([0, 1, 2].map(|it: usize| corners[it].uv[axis]))))
            }
        };
        let [a, b, c] = corners.map(|corner| corner.ink);
        let color = if a == b && a == c {
            a
        } else {
            std::array::from_fn(|channel| {
                (mix([a, b, c].map(|ink| f64::from(ink[channel]))) + 0.5) as u8
            })
        };
        if texel == WHITE {
            color
        } else {
            tint(color, texel)
        }
    }
}
