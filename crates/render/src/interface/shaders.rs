//! The compiled shaders, looked up by mode and span count; `build.rs` writes the lookup.

use super::packed::Packed;
use sinew_skinning::SkinningMode;

/// A shader that exists for several modes and span counts.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// The compiled words.
    pub spirv: Packed,
    /// The locations of its inputs, sorted.
    pub inputs: &'static [u32],
}

/// Returns a shader whose multiplications and additions the driver may fuse: without the decoration that `precise` becomes.
pub fn fused(spirv: &[u8]) -> Vec<u8> {
    const HEADER: usize = 5 * 4;
    const DECORATE: u32 = 71;
    const NO_CONTRACTION: u32 = 42;
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_ne_bytes(*word));
    let (header, mut rest) = spirv.split_at(HEADER.min(spirv.len()));
    let mut kept = header.to_vec();
    while !rest.is_empty() {
        // The upper half of the first word is the number of words.
        let first = word(rest);
        let (instruction, after) =
            rest.split_at((first as usize >> 16).max(1).saturating_mul(4).min(rest.len()));
        let is_precise =
            first & 0xffff == DECORATE && word(instruction.get(8..).unwrap_or_default()) == NO_CONTRACTION;
        if !is_precise {
            kept.extend_from_slice(instruction);
        }
        rest = after;
    }
    kept
}

include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    /// A shader that the driver may fuse has every instruction of the exact one, and no decoration that forbids it.
    #[test]
    fn fused_shaders_lack_nothing_but_the_decoration() {
        let instructions = |spirv: &[u8]| {
            let words: Vec<u32> = spirv.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect();
            let mut found = Vec::new();
            let mut rest = &words[5..];
            while let Some(first) = rest.first() {
                let (instruction, after) = rest.split_at(*first as usize >> 16);
                found.push(instruction.to_vec());
                rest = after;
            }
            found
        };
        for mode in SkinningMode::ALL {
            let exact = skin_comp(mode, 1).unwrap().spirv.unpack();
            let fused = fused(&exact);
            assert_eq!(fused[..20], exact[..20]);
            let mut kept = instructions(&exact);
            let all = kept.len();
            kept.retain(|words| !matches!(words[..], [0x0003_0047, _, 42]));
            assert!(all - kept.len() > 30, "{mode}: {}", all - kept.len());
            assert_eq!(instructions(&fused), kept, "{mode}");
        }
        assert_eq!(fused(&[]), [0u8; 0]);
    }
}
