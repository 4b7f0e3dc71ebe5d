//! The files that the window can go to: their list, small pictures of them, and the desktop's dialog to choose others. It
//! must not read files itself, and knows neither what is in them nor how they are shown.

mod dialog;
mod list;
mod thumbnails;

pub use dialog::{Chosen, Dialog};
pub use list::Files;
pub use thumbnails::{MakeThumbnails, NoThumbnail, Thumbnail, Thumbnails};
