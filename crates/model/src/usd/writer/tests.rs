//! What is written reads back as the same model.
