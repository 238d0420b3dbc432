//! TinyMT32 against the answers that its authors publish and against the reference C.

mod support;

use estr2048::tinymt32::{Parameters, TinyMt32};
use rand::{Rng, RngExt, SeedableRng};
use support::data;

fn parameters(name: &str) -> Parameters {
    match name {
        "zero" => Parameters::ZERO,
        "official" => Parameters::OFFICIAL,
        _ => panic!("no parameter set is called {name}"),
    }
}

#[test]
fn thousand_outputs_of_every_recorded_seed() {
    for (name, seed) in [("zero", 1), ("zero", 1234), ("official", 1), ("official", 42)] {
        let file = data(&format!("tinymt/uint32_{name}_seed_{seed}.txt"));
        let expected: Vec<u32> =
            file.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap()).collect();
        assert_eq!(expected.len(), 1000);
        let mut random = TinyMt32::new(seed, parameters(name));
        let outputs: Vec<u32> = (0..1000).map(|_| random.generate_u32()).collect();
        assert_eq!(outputs, expected, "{name} parameters, seed {seed}");
    }
}

#[test]
fn status_after_init() {
    let file = data("tinymt/init_states.txt");
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let random = TinyMt32::new(words[1].parse().unwrap(), parameters(words[0]));
        let expected: Vec<u32> = words[2..].iter().map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
        assert_eq!(random.status()[..], expected, "{line}");
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} states in the file");
}

#[test]
fn outputs_after_init_by_array() {
    let file = data("tinymt/init_by_array.txt");
    let mut random = None;
    let mut checked = 0;
    for line in file.lines() {
        if let Some(header) = line.strip_prefix("# tinymt32_init_by_array params=") {
            let (name, keys) = header.split_once(" keys=").unwrap();
            let (keys, _) = keys.split_once(',').unwrap();
            let keys: Vec<u32> = keys.split_whitespace().map(|key| key.parse().unwrap()).collect();
            random = Some(TinyMt32::from_keys(&keys, parameters(name)));
        } else {
            assert_eq!(random.as_mut().unwrap().generate_u32(), line.parse().unwrap());
            checked += 1;
        }
    }
    assert_eq!(checked, 500);
}

/// The authors' check program seeds once with 1, once with the array {1}, and then goes on with one generator.
#[test]
fn the_authors_check_program() {
    let file = data("tinymt/check32.out.txt");
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some("tinymt32 0x8f7011ee 0xfc78ff1f 0x3793fdff seed = 1"));
    let mut random = TinyMt32::new(1, Parameters::OFFICIAL);
    let mut draw: fn(&mut TinyMt32) -> String = |random| random.generate_u32().to_string();
    let mut checked = 0;
    for line in lines {
        match line.trim() {
            "32-bit unsigned integers r, where 0 <= r < 2^32" => {}
            "init_by_array {1}" => random.init_by_array(&[1]),
            "float numbers r, where 0.0 <= r < 1.0" => draw = |random| format!("{:.7}", random.generate_f32()),
            "float numbers r, where 1.0 <= r < 2.0" => draw = |random| format!("{:.7}", random.generate_f32_1_2()),
            "float numbers r, where 0.0 < r <= 1.0" => {
                draw = |random| format!("{:.7}", random.generate_f32_open_closed());
            }
            "float numbers r, where 0.0 < r < 1.0" => {
                draw = |random| format!("{:.7}", random.generate_f32_open_open());
            }
            "32-bit precision double numbers r, where 0.0 <= r < 1.0" => {
                draw = |random| format!("{:.7}", random.generate_f64());
            }
            numbers => {
                for number in numbers.split_whitespace() {
                    assert_eq!(draw(&mut random), number, "after {checked} numbers");
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 300);
}

/// `generate_f32_0_1` has no section of its own in the check program: it is `generate_f32_1_2` less one.
#[test]
fn float_from_zero() {
    let mut random = TinyMt32::new(7, Parameters::OFFICIAL);
    let mut twin = random.clone();
    for _ in 0..1000 {
        let r = random.generate_f32_0_1();
        assert_eq!(r, twin.generate_f32_1_2() - 1.0);
        assert!((0.0..1.0).contains(&r));
    }
}

#[test]
fn all_zero_state_is_left() {
    let mut random = TinyMt32::new(0, Parameters::ZERO);
    assert_ne!(random.status(), [0; 4]);
    let outputs: Vec<u32> = (0..8).map(|_| random.generate_u32()).collect();
    assert!(outputs.iter().any(|&output| output != outputs[0]));
}

#[test]
fn works_as_a_rand_generator() {
    let mut random = TinyMt32::new(1, Parameters::OFFICIAL);
    assert_eq!(random.next_u32(), 2_545_341_989);
    assert_eq!(random.next_u64(), 981_918_433 | 3_715_302_833 << 32);
    let mut bytes = [0; 6];
    random.fill_bytes(&mut bytes);
    assert_eq!(bytes[..4], 2_387_538_352_u32.to_le_bytes());

    let mut seeded = TinyMt32::from_seed([9; 16]);
    assert_eq!(seeded, TinyMt32::from_keys(&[0x0909_0909; 4], Parameters::OFFICIAL));
    assert!((1..=6).contains(&seeded.random_range(1..=6)));
}
