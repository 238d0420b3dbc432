//! `java.util.Random` against OpenJDK 17.

mod support;

use estr2048::JavaRandom;
use rand::{Rng, RngExt, SeedableRng};
use support::data;

#[test]
fn ints_of_openjdk() {
    let file = data("java/java_random.txt");
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (head, numbers) = line.split_once(" : ").unwrap();
        let (seed, bound) = head.split_once(' ').unwrap();
        let (mut random, bound) = (JavaRandom::new(seed.parse().unwrap()), bound.parse().unwrap());
        for (place, number) in numbers.split_whitespace().enumerate() {
            let drawn = if bound == 0 { random.next_int() } else { random.next_int_below(bound).unwrap() };
            assert_eq!(drawn, number.parse().unwrap(), "seed {seed}, bound {bound}, place {place}");
            checked += 1;
        }
    }
    assert_eq!(checked, 60 * 40);
}

/// `seed method argument : results` of OpenJDK 17; doubles are given by their bits.
#[test]
fn other_methods_and_extreme_seeds_of_openjdk() {
    let file = data("java/java_random_more.txt");
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (head, numbers) = line.split_once(" : ").unwrap();
        let words: Vec<&str> = head.split(' ').collect();
        let mut random = JavaRandom::new(words[0].parse().unwrap());
        let bound = words[2].parse().unwrap();
        if words[1] == "nextBytes" {
            let mut bytes = vec![0_u8; usize::try_from(bound).unwrap()];
            random.fill_bytes(&mut bytes);
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(bytes.concat(), numbers, "{head}");
            checked += 1;
            continue;
        }
        for number in numbers.split(' ') {
            let drawn = match words[1] {
                "nextInt" => random.next_int().to_string(),
                "nextIntBelow" => random.next_int_below(bound).unwrap().to_string(),
                "nextLong" => random.next_long().to_string(),
                "nextDouble" => format!("{:016x}", random.next_double().to_bits()),
                method => panic!("unknown method {method}"),
            };
            assert_eq!(drawn, number, "{head}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "only {checked} numbers in the file");
}

#[test]
fn a_bound_that_is_not_positive_draws_nothing() {
    let mut random = JavaRandom::new(1);
    for bound in [0, -1, i32::MIN] {
        assert_eq!(random.next_int_below(bound), None);
    }
    assert_eq!(random, JavaRandom::new(1));
}

#[test]
fn works_as_a_rand_generator() {
    let mut random = JavaRandom::new(42);
    let mut twin = random.clone();
    assert_eq!(random.next_u32(), twin.next_int().cast_unsigned());
    assert_eq!(random.next_u64(), twin.next_long().cast_unsigned());
    assert_eq!(JavaRandom::from_seed((-7_i64).to_le_bytes()), JavaRandom::new(-7));
    assert_eq!(JavaRandom::seed_from_u64(42), JavaRandom::new(42));
    assert!((1..=6).contains(&random.random_range(1..=6)));
}
