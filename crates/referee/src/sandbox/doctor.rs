//! What a machine offers to a referee, and what could be done about the rest.
