//! The text form: traits that attributes implement. See `print` and `parse`.

/// A result of parsing the text form.
pub type TextResult<T> = Result<T, String>;

/// Where attributes are written.
pub trait AttrWriter {
    /// Writes text as it is.
    fn word(&mut self, s: &str);
}

/// Where attributes are read.
pub trait AttrReader {}

/// An attribute that has a text form.
pub trait AttrText: Sized {
    /// Writes it.
    fn print(&self, out: &mut dyn AttrWriter);
    /// Reads it.
    fn parse(input: &mut dyn AttrReader) -> TextResult<Self>;
}
