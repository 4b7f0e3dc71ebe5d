//! Pictures made of channels of others, where a material has them in places or encodings that glTF has not.

use crate::srgb::{from_linear, to_linear};
use crate::texture::Picture;

/// A channel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Any values, because no shader reads them.
    Any,
    /// One everywhere.
    One,
    /// A channel of another picture.
    Of(Tap),
}

/// A channel of a picture with its values changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tap {
    /// The picture.
    pub picture: usize,
    /// Its channel.
    pub channel: usize,
    /// Bits of the factor of linear values.
    scale: u64,
    /// Bits of the number added to them.
    bias: u64,
    /// True if its values are sRGB.
    from_srgb: bool,
    /// True if they should be.
    to_srgb: bool,
}

impl Tap {
    /// A channel with its values scaled and moved, and encoded anew.
    pub fn new(picture: usize, channel: usize, (scale, bias): (f64, f64), srgb: [bool; 2]) -> Self {
        // Zeros of both signs are the same.
        let bits = |number: f64| (number + 0.0).to_bits();
        let [from_srgb, to_srgb] = srgb;
        Self { picture, channel, scale: bits(scale), bias: bits(bias), from_srgb, to_srgb }
    }

    /// The new level of each level.
    fn curve(&self) -> [u8; 256] {
        let (scale, bias) = (f64::from_bits(self.scale), f64::from_bits(self.bias));
        let is_plain = scale == 1.0 && bias == 0.0 && self.from_srgb == self.to_srgb;
        std::array::from_fn(|level| {
            let level = level as u8;
            if is_plain {
                return level;
            }
            let own = f64::from(level) / 255.0;
            let own = if self.from_srgb { to_linear(own) } else { own };
            let new = (own * scale + bias).clamp(0.0, 1.0);
            let new = if self.to_srgb { from_linear(new) } else { new };
            (new * 255.0).round() as u8
        })
    }
}

/// The pictures that channels are of.
pub fn sources(channels: &[Channel; 4]) -> impl Iterator<Item = usize> {
    channels.iter().filter_map(|channel| match channel {
        Channel::Of(tap) => Some(tap.picture),
        Channel::Any | Channel::One => None,
    })
}

/// Returns true if a picture has these channels as it is.
pub fn is_same(number: usize, picture: &Picture, channels: &[Channel; 4]) -> bool {
    channels.iter().enumerate().all(|(place, channel)| match channel {
        Channel::Any => true,
        Channel::One => picture.rgba.iter().skip(place).step_by(4).all(|level| *level == u8::MAX),
        Channel::Of(tap) => {
            let is_plain = tap.curve().iter().enumerate().all(|(from, to)| from == usize::from(*to));
            tap.picture == number && tap.channel == place && is_plain
        }
    })
}

/// Makes a picture as large as the largest of those that it is made of. `of` returns pictures.
pub fn made<'a>(channels: &[Channel; 4], of: impl Fn(usize) -> Option<&'a Picture>) -> Option<Picture> {
    let all: Vec<&Picture> = sources(channels).filter_map(&of).collect();
    let (width, height) =
        all.iter().map(|picture| (picture.width, picture.height)).max_by_key(|size| pixels(*size))?;
    let bytes = usize::try_from(pixels((width, height))).ok()?.checked_mul(4)?;
    let curves = channels.map(|channel| match channel {
        Channel::Of(tap) => Some((of(tap.picture)?, tap.channel, tap.curve())),
        Channel::Any | Channel::One => None,
    });
    let mut rgba = Vec::with_capacity(bytes);
    for y in 0..height {
        for x in 0..width {
            rgba.extend(curves.iter().map(|curve| match curve {
                Some((picture, channel, curve)) => {
                    let level = level(picture, *channel, [x, y], [width, height]);
                    curve.get(usize::from(level)).copied().unwrap_or(level)
                }
                None => u8::MAX,
            }));
        }
    }
    Some(Picture { width, height, rgba })
}

fn pixels((width, height): (u32, u32)) -> u64 {
    u64::from(width).saturating_mul(u64::from(height))
}

/// The level of a picture at a pixel of one that may have another size.
fn level(picture: &Picture, channel: usize, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> u8 {
    let at = |own: u32, of: u32, size: u32| {
        u64::from(own).saturating_mul(u64::from(size)).checked_div(u64::from(of)).unwrap_or(0) as usize
    };
    let (x, y) = (at(x, width, picture.width), at(y, height, picture.height));
    let pixel = y.saturating_mul(picture.width as usize).saturating_add(x);
    picture.rgba.get(pixel.saturating_mul(4).saturating_add(channel)).copied().unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Channel, Tap, is_same, made};
    use crate::texture::Picture;

    #[test]
    fn channels_come_from_pictures_of_several_sizes() {
        let small = Picture { width: 1, height: 1, rgba: vec![10, 20, 30, 40] };
        let large = Picture { width: 2, height: 1, rgba: vec![1, 2, 3, 255, 5, 6, 7, 255] };
        let of = |number: usize| [&small, &large].get(number).copied();
        let plain = |picture, channel| Channel::Of(Tap::new(picture, channel, (1.0, 0.0), [false; 2]));
        let turned = Channel::Of(Tap::new(1, 1, (-1.0, 1.0), [false; 2]));
        let linear = Channel::Of(Tap::new(0, 2, (1.0, 0.0), [true, false]));
        let picture = made(&[plain(0, 3), turned, linear, Channel::One], of).unwrap();
        assert_eq!(picture.rgba, [40, 253, 3, 255, 40, 249, 3, 255]);
        assert!(is_same(1, &large, &[Channel::Any, plain(1, 1), plain(1, 2), Channel::One]));
        assert!(!is_same(0, &small, &[Channel::Any, plain(0, 1), plain(0, 2), Channel::One]));
        assert!(!is_same(1, &large, &[plain(1, 1), Channel::Any, Channel::Any, Channel::Any]));
    }
}
