//! Finds the channels and the end of a JPEG, because decoders fill in missing bytes silently.

/// Result of scanning a JPEG's markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Channels per pixel; `None` if the bytes end before the frame header.
    pub channels: Option<u8>,
    /// True if the end marker was found.
    pub is_whole: bool,
}

/// Walks over the markers of a JPEG.
pub fn facts(bytes: &[u8]) -> Facts {
    let mut facts = Facts { channels: None, is_whole: false };
    // Behind the two bytes with which it starts.
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let Some((marker, after)) = next_marker(rest) {
        rest = match marker {
            END => return Facts { is_whole: true, ..facts },
            // These markers have no length.
            0x01 | 0xd0..=0xd8 => after,
            _ => {
                let length = after.first_chunk().map_or(0, |length| usize::from(u16::from_be_bytes(*length)));
                let Some((segment, next)) = after.split_at_checked(length.max(2)) else { return facts };
                let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
                if is_frame {
                    // Length, bits a channel, height and width come before.
                    facts.channels = facts.channels.or(segment.get(7).copied());
                }
                next
            }
        };
    }
    facts
}

/// The marker of the end.
const END: u8 = 0xd9;

/// The next marker, after packed pixels if any, and the data after it. In packed pixels, 0 follows 0xff.
fn next_marker(mut rest: &[u8]) -> Option<(u8, &[u8])> {
    loop {
        let start = rest.iter().position(|byte| *byte == 0xff)?;
        let (marker, after) = rest.get(start..)?.get(1..)?.split_first()?;
        if !matches!(marker, 0 | 0xff) {
            return Some((*marker, after));
        }
        rest = rest.get(start.saturating_add(1)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Start, a comment that holds an end, a frame of three channels, a scan with packed bytes, the end.
    const WHOLE: [u8; 38] = [
        0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xd9, 0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1, 3, 0xff, 0xda, 0, 3, 7, 1,
        2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0, 5, 0xff, 0xff, 0xd9, 9,
    ];

    #[test]
    fn the_end_is_looked_for_where_it_counts() {
        assert_eq!(facts(&WHOLE), Facts { channels: Some(3), is_whole: true });
        for length in 0..WHOLE.len() - 1 {
            let channels = (length >= 18).then_some(3);
            assert_eq!(facts(&WHOLE[..length]), Facts { channels, is_whole: false }, "{length}");
        }
    }

    #[test]
    fn lengths_of_nothing_do_not_hold_it_up() {
        let mut zeros = vec![0xff, 0xd8];
        zeros.extend([0xff, 0xe0, 0, 0].repeat(1000));
        assert!(!facts(&zeros).is_whole);
    }
}
