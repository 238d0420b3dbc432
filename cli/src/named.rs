//! Options whose values are names of a library's values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// One value: its name and other names for it, the value, a line of help.
pub type Named<T> = (&'static [&'static str], T, &'static str);

/// A parser for one of these.
pub fn one_of<T, const N: usize>(values: [Named<T>; N]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = values.map(|(names, _, help)| PossibleValue::new(names[0]).aliases(&names[1..]).help(help));
    PossibleValuesParser::new(names).try_map(move |chosen| {
        let found = values.iter().find(|(names, ..)| names.contains(&&*chosen));
        found.map(|&(_, value, _)| value).ok_or("no such value")
    })
}
