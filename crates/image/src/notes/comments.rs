//! Notes as JPEG comments: one per note, `NAME: TEXT`.

use std::io::{self, Read};

/// The maximum size of a comment in bytes.
const MAX_BYTES: usize = 0xffff - 2;

/// The maximum size in bytes of the segments before the pixels.
const MAX_READ: u64 = 4 << 20;

const START_OF_SCAN: u8 = 0xda;
const END: u8 = 0xd9;
const COMMENT: u8 = 0xfe;

/// Returns a segment for each note that fits into one.
pub fn write(notes: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, text) in notes {
        let text = format!("{name}: {text}");
        let Some(length) = u16::try_from(text.len() + 2).ok().filter(|_| text.len() <= MAX_BYTES) else {
            continue;
        };
        bytes.extend([0xff, COMMENT]);
        bytes.extend(length.to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// Reads the notes before the pixels of a JPEG, up to the first unreadable part.
pub fn read(file: impl Read) -> io::Result<Vec<(String, String)>> {
    let mut file = file.take(MAX_READ);
    let mut notes = Vec::new();
    let mut start = [0; 2];
    file.read_exact(&mut start)?;
    loop {
        let mut head = [0; 4];
        if file.read_exact(&mut head).is_err() {
            return Ok(notes);
        }
        let [0xff, kind, high, low] = head else { return Ok(notes) };
        let length = u64::from(u16::from_be_bytes([high, low])).saturating_sub(2);
        if [START_OF_SCAN, END].contains(&kind) {
            return Ok(notes);
        }
        let mut content = Vec::new();
        let read = (&mut file).take(length).read_to_end(&mut content)?;
        if (read as u64) < length {
            return Ok(notes);
        }
        if let Some((name, text)) =
            String::from_utf8_lossy(&content).split_once(": ").filter(|_| kind == COMMENT)
        {
            notes.push((name.to_owned(), text.to_owned()));
        }
    }
}
