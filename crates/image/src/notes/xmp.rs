//! Notes as the XMP of a WebP: one element per note, with `_` for spaces in its name.

use std::io::{self, Read, Seek, SeekFrom};

use sinew_text::html::escaped;

/// The maximum size of XMP to read, in bytes.
const MAX_BYTES: u32 = 1 << 20;

/// The maximum number of chunks to read.
const MAX_CHUNKS: usize = 1 << 20;

/// Writes the document of all notes.
pub fn write(notes: &[(String, String)]) -> String {
    let elements = notes.iter().map(|(name, text)| {
        let name = name.replace(' ', "_");
        format!("\n   <sinew:{name}>{}</sinew:{name}>", escaped(text))
    });
    format!(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  \
         <rdf:Description rdf:about=\"\" xmlns:sinew=\"urn:sinew:notes\">{}\n  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n",
        elements.collect::<String>()
    )
}

/// Reads the notes of a WebP, up to the first unreadable part.
pub fn read(mut file: impl Read + Seek) -> io::Result<Vec<(String, String)>> {
    // The first twelve bytes identify the file as WebP.
    file.seek(SeekFrom::Start(12))?;
    for _ in 0..MAX_CHUNKS {
        let mut head = [0; 8];
        if file.read_exact(&mut head).is_err() {
            break;
        }
        let [a, b, c, d, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        if [a, b, c, d] == *b"XMP " {
            let mut text = Vec::new();
            file.take(length.min(MAX_BYTES).into()).read_to_end(&mut text)?;
            return Ok(elements(&String::from_utf8_lossy(&text)));
        }
        file.seek_relative(i64::from(length) + i64::from(length % 2))?;
    }
    Ok(Vec::new())
}

fn elements(text: &str) -> Vec<(String, String)> {
    let mut notes = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once("<sinew:") {
        rest = behind;
        let Some((name, content)) = behind.split_once('>') else { break };
        if let Some((text, behind)) = content.split_once(&format!("</sinew:{name}>")) {
            notes.push((name.replace('_', " "), unescaped(text)));
            rest = behind;
        }
    }
    notes
}

/// Reverses [`escaped`].
fn unescaped(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    plain.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = b"RIFF\0\0\0\0WEBP".to_vec();
        for (name, content) in chunks {
            bytes.extend(*name);
            bytes.extend((content.len() as u32).to_le_bytes());
            bytes.extend(*content);
            bytes.extend(&[0][..content.len() % 2]);
        }
        bytes
    }

    #[test]
    fn notes_read_back_from_behind_the_frames() {
        let notes = [("Command", "sinew 'a<b>&lt;.glb' \"狐\""), ("Model SHA-256", "0123")];
        let notes = notes.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
        let bytes = file(&[(b"VP8X", &[0; 10]), (b"ANMF", &[7; 33]), (b"XMP ", write(&notes).as_bytes())]);
        assert_eq!(read(Cursor::new(&bytes)).unwrap(), notes);
        for length in 12..bytes.len() {
            assert!(read(Cursor::new(&bytes[..length])).unwrap().len() <= 2);
        }
        assert_eq!(read(Cursor::new(file(&[(b"VP8L", &[1; 9])]))).unwrap(), []);
    }
}
