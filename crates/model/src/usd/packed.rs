//! Blocks of a binary layer: LZ4 in a single piece, and integers as steps.

/// Unpacks a block of LZ4 to at most `most` bytes; its first byte is 0 for a single piece, and only these are read.
pub fn unpacked(block: &[u8], most: usize) -> Option<Vec<u8>> {
    let (pieces, mut block) = block.split_first()?;
    let mut out: Vec<u8> = Vec::new();
    if *pieces != 0 {
        return None;
    }
    loop {
        let (token, rest) = block.split_first()?;
        let (literals, rest) = length(usize::from(token >> 4), rest)?;
        let (copied, rest) = rest.split_at_checked(literals)?;
        out.extend(copied);
        if out.len() > most {
            return None;
        }
        if rest.is_empty() {
            return Some(out);
        }
        let (offset, rest) = rest.split_first_chunk::<2>()?;
        let (size, rest) = length(usize::from(token & 15), rest)?;
        let from = out.len().checked_sub(usize::from(u16::from_le_bytes(*offset)))?;
        let size = size.checked_add(4)?;
        if out.len().checked_add(size)? > most {
            return None;
        }
        for at in from..from.checked_add(size)? {
            out.push(*out.get(at)?);
        }
        block = rest;
    }
}

/// A length of LZ4, which goes on as long as bytes are full.
fn length(first: usize, mut rest: &[u8]) -> Option<(usize, &[u8])> {
    let mut length = first;
    if first == 15 {
        loop {
            let (more, next) = rest.split_first()?;
            (length, rest) = (length.checked_add(usize::from(*more))?, next);
            if *more != 255 {
                break;
            }
        }
    }
    Some((length, rest))
}

/// Bytes as a block of LZ4 in a single piece, without repetitions.
pub fn block(bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0];
    match bytes.len().checked_sub(15) {
        None => block.push((bytes.len() as u8) << 4),
        Some(more) => {
            block.push(0xf0);
            block.extend(std::iter::repeat_n(255, more / 255));
            block.push((more % 255) as u8);
        }
    }
    block.extend(bytes);
    block
}

/// Packed integers: a common step, two bits for the kind of each step, and the steps that are not common.
pub fn integers(block: &[u8], count: usize) -> Option<Vec<i64>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let most = count.checked_mul(5)?.checked_add(16)?;
    let data = unpacked(block, most)?;
    let (common, rest) = data.split_first_chunk::<4>()?;
    let (codes, mut steps) = rest.split_at_checked(count.div_ceil(4))?;
    let mut all = Vec::with_capacity(count);
    let mut sum = 0i64;
    for number in 0..count {
        let code = *codes.get(number / 4)? >> *[0, 2, 4, 6].get(number % 4)? & 3;
        let step = match code {
            0 => i64::from(i32::from_le_bytes(*common)),
            1 => {
                let (step, rest) = steps.split_first()?;
                steps = rest;
                i64::from(*step as i8)
            }
            2 => {
                let (step, rest) = steps.split_first_chunk::<2>()?;
                steps = rest;
                i64::from(i16::from_le_bytes(*step))
            }
            _ => {
                let (step, rest) = steps.split_first_chunk::<4>()?;
                steps = rest;
                i64::from(i32::from_le_bytes(*step))
            }
        };
        sum = sum.wrapping_add(step);
        all.push(sum);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{block, integers, unpacked};

    #[test]
    fn blocks_are_unpacked_as_far_as_they_may_be() {
        // Two letters, four more from two back, and an end without a copy.
        let block = [0, 0x20, b'a', b'b', 2, 0, 0x10, b'c'];
        assert_eq!(unpacked(&block, 7).as_deref(), Some(&b"abababc"[..]));
        assert_eq!(unpacked(&block, 6), None);
        assert_eq!(unpacked(&[0, 0x20, b'a', b'b', 9, 0, 0x10, b'c'], 99), None);
    }

    #[test]
    fn blocks_unpack_to_what_they_were_made_of() {
        for length in [0, 1, 14, 15, 16, 269, 270, 271, 1000] {
            let bytes: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            assert_eq!(unpacked(&block(&bytes), length), Some(bytes));
        }
    }

    #[test]
    fn integers_are_sums_of_steps() {
        // 3 is the common step; the second is -1, the third 256.
        let block = [0, 0x80, 3, 0, 0, 0, 0b10_0100, 0xff, 0, 1];
        assert_eq!(integers(&block, 3), Some(vec![3, 2, 258]));
        assert_eq!(integers(&block, 9), None);
    }
}
