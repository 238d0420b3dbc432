//! What all requests share.

use std::path::PathBuf;

use estr2048_session::store::Store;

/// Who may come in, what is kept, and what is shown.
pub struct House {
    /// Whoever knows it may come in.
    pub token: String,
    pub port: u16,
    /// Where games are kept; `None` if there is no such place.
    pub store: Option<Store>,
    /// The folder of a graded class.
    pub class: Option<PathBuf>,
}
