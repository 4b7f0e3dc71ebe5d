//! Steps of a path into JSON.

/// A step of a JSON path.
#[derive(Clone, Debug)]
pub enum Step {
    /// A step into a property in a table.
    Known(&'static str),
    /// Into another property.
    Named(String),
    /// Into a list.
    Index(usize),
}
