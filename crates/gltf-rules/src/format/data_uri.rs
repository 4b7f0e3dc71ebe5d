//! Bytes that a URI contains itself.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

/// Returns true if a URI contains the bytes itself.
pub fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Base64 with optional padding and any trailing bits, as decoders everywhere accept it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes the bytes of a `data:` URI.
///
/// # Errors
/// The fault, if it has no comma or its base64 is broken.
pub fn decode(uri: &str) -> Result<Vec<u8>, &'static str> {
    let (header, data) = uri.split_once(',').ok_or("data: URI without a comma")?;
    if header.to_ascii_lowercase().ends_with(";base64") {
        // Base64 within a URI may be percent-encoded like any other part of it.
        // The letters of the alphabet for URLs are other names of the same.
        let data: Vec<u8> = percent_decode_str(data)
            .map(|byte| match byte {
                b'-' => b'+',
                b'_' => b'/',
                other => other,
            })
            .collect();
        BASE64.decode(data).map_err(|_| "broken base64")
    } else {
        Ok(percent_decode_str(data).collect())
    }
}
