//! Gives each student number the unit with the best right to it. Two with the same right are a conflict.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::names::Part;
use super::roster::Roster;
use super::units::{Claim, OWN_NAME, Unit};
use super::{Class, Odd, Submission};

/// The submissions of all units, and everybody on the roster.
pub fn settle(units: Vec<Unit>, mut odd: Vec<Odd>, roster: Option<&Roster>) -> Class {
    let mut by_id: BTreeMap<String, Vec<&Unit>> = BTreeMap::new();
    for unit in &units {
        for id in unit.claims.keys() {
            by_id.entry(id.clone()).or_default().push(unit);
        }
    }
    let mut submissions: BTreeMap<String, Submission> = BTreeMap::new();
    for (id, mut claimants) in by_id {
        claimants.sort_by_key(|unit| std::cmp::Reverse(unit.right));
        let best = claimants[0].right;
        let (first, others) = claimants.split_at(claimants.iter().take_while(|unit| unit.right == best).count());
        let submission = one(&id, first, &mut odd);
        for unit in others {
            odd.push(Odd {
                place: unit.place.clone(),
                what: format!(
                    "also holds files for {id}, which were not taken: {} has the better right",
                    first[0].place
                ),
            });
        }
        submissions.insert(id, submission);
    }
    // What is nobody's rightly named work is still somebody's.
    for unit in units.iter().filter(|unit| unit.claims.is_empty()) {
        let Some(id) = &unit.sender else { continue };
        let has_work =
            |known: &&mut Submission| known.source.is_some() || known.basic.is_some() || known.conflict.is_some();
        if let Some(known) = submissions.get_mut(id).filter(has_work) {
            known.trouble.extend(unit.trouble.iter().cloned());
            continue;
        }
        let submission =
            submissions.entry(id.clone()).or_insert_with(|| Submission { id: id.clone(), ..Submission::default() });
        submission.misnamed.extend(unit.misnamed.iter().cloned());
        submission.trouble.extend(unit.trouble.iter().cloned());
        submission.late |= unit.late;
    }
    if let Some(roster) = roster {
        for submission in submissions.values_mut() {
            match roster.students.get(&submission.id) {
                Some(student) => submission.name = Some(student.name()),
                None => submission.for_staff.push("is not on the roster".into()),
            }
        }
        for (id, student) in &roster.students {
            submissions.entry(id.clone()).or_insert_with(|| Submission {
                id: id.clone(),
                name: Some(student.name()),
                trouble: vec!["nothing was handed in".into()],
                ..Submission::default()
            });
        }
    }
    odd.sort_by(|a, b| (&a.place, &a.what).cmp(&(&b.place, &b.what)));
    odd.dedup();
    Class { submissions: submissions.into_values().collect(), odd }
}

/// The submission of one number from units with the same right to it.
fn one(id: &str, units: &[&Unit], odd: &mut Vec<Odd>) -> Submission {
    let mut submission = Submission { id: id.into(), ..Submission::default() };
    let mut parts: BTreeMap<Part, Vec<(String, PathBuf)>> = BTreeMap::new();
    for unit in units {
        let Some(Claim { parts: claimed }) = unit.claims.get(id) else { continue };
        for (&part, files) in claimed {
            parts.entry(part).or_default().extend(files.iter().cloned());
        }
        submission.misnamed.extend(unit.misnamed.iter().cloned());
        submission.trouble.extend(unit.trouble.iter().cloned());
        submission.late |= unit.late;
    }
    // Units that are called by the number complete each other; of strangers, each must be whole.
    let strangers = units.len() > 1 && units[0].right < OWN_NAME && !same_everywhere(id, units);
    let rivals = parts.iter().find(|(_, files)| differ(files)).map(|(&part, files)| (part, files.clone()));
    if strangers || rivals.is_some() {
        let places: Vec<String> = match &rivals {
            Some((_, files)) => files.iter().map(|(place, _)| place.clone()).collect(),
            None => units.iter().map(|unit| unit.place.clone()).collect(),
        };
        let what = rivals.map_or("files", |(part, _)| match part {
            Part::Source => "different aiplayer .c files",
            Part::Header => "different aiplayer .h files",
            Part::Basic => "different basic zips",
        });
        let named = places.join(" and ");
        submission
            .for_staff
            .push(format!("conflict: {named} hold {what} for {id}; remove the wrong one, then use --redo {id}"));
        odd.push(Odd { place: named, what: format!("hold {what} for {id}: a conflict that a human must decide") });
        submission.conflict = Some(format!(
            "{} places hold {what} for this number; the course's staff must decide which one counts",
            places.len()
        ));
        return submission;
    }
    let mut take = |part| parts.remove(&part).and_then(|files| files.into_iter().next()).map(|(_, path)| path);
    submission.source = take(Part::Source);
    submission.header = take(Part::Header);
    submission.basic = take(Part::Basic);
    // The first of several headers of one name counts; they can only matter if the player includes them.
    for path in units.iter().flat_map(|unit| &unit.companions) {
        if !submission.companions.iter().any(|other| other.file_name() == path.file_name()) {
            submission.companions.push(path.clone());
        }
    }
    submission
}

fn differ(files: &[(String, PathBuf)]) -> bool {
    let Some((_, first)) = files.first() else { return false };
    let bytes = fs::read(first).unwrap_or_default();
    files[1..].iter().any(|(_, path)| fs::read(path).unwrap_or_default() != bytes)
}

/// Whether all units hold the same files for this number.
fn same_everywhere(id: &str, units: &[&Unit]) -> bool {
    let parts = |unit: &Unit| unit.claims.get(id).map(|claim| claim.parts.keys().copied().collect::<Vec<_>>());
    units.windows(2).all(|pair| {
        parts(pair[0]) == parts(pair[1])
            && parts(pair[0]).unwrap_or_default().into_iter().all(|part| {
                let files = |unit: &Unit| unit.claims.get(id).and_then(|claim| claim.parts.get(&part)).cloned();
                let both = [files(pair[0]), files(pair[1])].into_iter().flatten().flatten().collect::<Vec<_>>();
                !differ(&both)
            })
    })
}
