//! Steps of a path into JSON.

/// A step of a JSON path.
#[derive(Clone, Debug)]
pub enum Step {
    /// Into a property that a table knows.
    Known(&'static str),
    /// Into another property.
    Named(String),
    /// Into a list.
    Index(usize),
}
