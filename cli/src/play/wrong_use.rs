//! The end of a program whose options make no sense together.

/// Ends the program as a wrong use of its options: the message on standard error, exit status 2.
pub fn wrong_use(message: &str) -> ! {
    let text = format!("{message}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, text).exit()
}
