//! Users that nobody else is: a privileged guard gives each cell its own.

use std::fs;
use std::ops::Range;

use rustix::rand::GetRandomFlags;

/// A user for one cell, if this process may choose.
pub fn fresh() -> Option<u32> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let text = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let users = unused(&text);
    let mut bytes = [0; 4];
    let _ = rustix::rand::getrandom(&mut bytes, GetRandomFlags::empty());
    let size = users.end - users.start;
    Some(users.start + u32::from_ne_bytes(bytes) % size.max(1))
}

/// Numbers that exist here and that no distribution gives away, told from the map of users.
fn unused(map: &str) -> Range<u32> {
    /// Above systemd's containers (0x7fff_ffff is its last) and below the signed numbers' end.
    const HIGH: Range<u32> = 0x6e65_0000..0x6e75_0000;
    /// Between the dynamic users of systemd and `nobody`.
    const LOW: Range<u32> = 65_520..65_534;
    let holds = |wanted: &Range<u32>| {
        map.lines().any(|line| {
            let mut fields = line.split_whitespace().filter_map(|field| field.parse::<u64>().ok());
            let (Some(first), Some(_), Some(count)) = (fields.next(), fields.next(), fields.next()) else {
                return false;
            };
            first <= u64::from(wanted.start) && u64::from(wanted.end) <= first + count
        })
    };
    if holds(&HIGH) {
        HIGH
    } else if holds(&LOW) {
        LOW
    } else {
        super::sys::NOBODY..super::sys::NOBODY + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_taken_from_those_that_are_mapped() {
        assert!(unused("0 0 4294967295").start > 1 << 30);
        assert!(unused("0 100000 65536").contains(&65_521));
        assert_eq!(unused("0 1000 1"), 65_534..65_535);
    }
}
