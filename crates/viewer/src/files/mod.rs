//! Files for the window: their list, their thumbnails, and the desktop's dialog to choose others. It must not read
//! files itself, and depends neither on their content nor on how they are shown.

mod dialog;
mod list;
mod thumbnails;

pub use dialog::{Chosen, Dialog};
pub use list::Files;
pub use thumbnails::{MakeThumbnails, NoThumbnail, Thumbnail, Thumbnails};
