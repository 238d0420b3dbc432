//! Cuts the tree into units: what one person sent, and whom it may speak for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::export::{self, Exported, System, exported};
use super::names::{Named, Part, id_in, named, numbers, shown};
use super::tree::{Node, Reader, What, too_large};
use super::{Known, Odd};

/// How good a unit's right to a student number is. Higher wins; equals are a conflict.
pub type Right = u8;

/// The learning system says that this student sent it.
pub const SENDER: Right = 4;
/// The file, zip or folder is itself called by the number.
pub const OWN_NAME: Right = 3;
/// Nothing says who sent it, but it speaks for one number only; or files of a group in a folder of the staff.
pub const ALONE: Right = 2;
/// It speaks for several numbers, and nothing says who sent it.
pub const SEVERAL: Right = 1;

/// The files for one student number.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    pub parts: BTreeMap<Part, Vec<(String, PathBuf)>>,
}

/// What one person handed in, by the time of the attempt.
type Attempts = BTreeMap<String, Vec<(Exported, Node)>>;

/// What one person sent.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub place: String,
    /// The student number of the sender, if anything says it.
    pub sender: Option<String>,
    pub right: Right,
    pub claims: BTreeMap<String, Claim>,
    pub companions: Vec<PathBuf>,
    /// Name and reason of files that cannot be taken.
    pub misnamed: Vec<String>,
    pub trouble: Vec<String>,
    pub late: bool,
}

pub struct Cutter<'a> {
    known: Known<'a>,
    units: Vec<Unit>,
    odd: Vec<Odd>,
}

/// All numbers that the files in a node claim.
fn claimed(nodes: &[Node]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for node in nodes {
        match &node.what {
            What::File(_) => {
                let own = exported(&node.name).map_or(node.name.clone(), |exported| exported.file);
                if let Named::Part(_, id) = named(&own) {
                    ids.insert(id);
                }
            }
            What::Folder(inside) | What::Zip(inside, _) => ids.extend(claimed(inside)),
            What::Closed(_) => {}
        }
    }
    ids
}

/// Whether a learning system made this folder, as far as its names tell.
fn is_export(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| node.name == "submission_metadata.yml") || system_of(nodes).is_some()
}

fn system_of(nodes: &[Node]) -> Option<System> {
    export::system_of(nodes.iter().map(|node| node.name.as_str()))
}

impl<'a> Cutter<'a> {
    pub fn new(known: Known<'a>) -> Self {
        Self { known, units: Vec::new(), odd: Vec::new() }
    }

    pub fn finish(self) -> (Vec<Unit>, Vec<Odd>) {
        (self.units, self.odd)
    }

    fn odd(&mut self, place: &str, what: impl Into<String>) {
        self.odd.push(Odd { place: place.into(), what: what.into() });
    }

    /// The number in a name that says who sent what is inside.
    fn sender_in(&self, name: &str, ids: &BTreeSet<String>) -> Option<String> {
        let on_list = |number: &str| self.known.roster.is_some_and(|roster| roster.students.contains_key(number));
        let all: Vec<&str> = numbers(name).collect();
        // A date or a system's own number is not a student's.
        let fits = |number: &str| ids.is_empty() || ids.iter().any(|id| id.len() == number.len());
        let first = all.iter().find(|&&number| ids.contains(number) || on_list(number));
        first.or_else(|| all.iter().find(|number| fits(number))).map(|&number| number.into())
    }

    /// The number of the person whom a learning system names.
    fn sender_of(&self, exported: &Exported, ids: &BTreeSet<String>) -> Option<String> {
        if let Some(id) = self.known.roster.and_then(|roster| roster.id_of(&exported.user)) {
            return Some(id.into());
        }
        let bare = exported.user.trim_start_matches(['s', 'S']);
        let number =
            exported.system == System::Blackboard && bare.len() >= 6 && bare.bytes().all(|byte| byte.is_ascii_digit());
        let fits = ids.is_empty() || ids.iter().any(|id| id.len() == bare.len());
        (number && fits).then(|| bare.into())
    }

    /// A file that was named on the command line.
    pub fn named_file(&mut self, reader: &mut Reader<'_>, path: &Path, alone: bool) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if named(&name) == Named::Zip {
            let what = reader.class_zip(path);
            let node = Node { place: shown(&name), name, what };
            match node.what {
                // One zip may be the whole class; of several, each is one student's.
                What::Zip(inside, notes) if alone && self.is_group(&node.name, &inside) => {
                    self.notes(&node.place, &notes);
                    self.survey(inside, OWN_NAME);
                }
                what => self.single(Node { what, ..node }, SENDER),
            }
            return;
        }
        let mut unit = Unit { place: shown(&name), right: OWN_NAME, ..Unit::default() };
        let folder = path.parent().unwrap_or(Path::new("."));
        let names = match named(&name) {
            Named::Part(Part::Source | Part::Header, id) => ["aiplayer", "aplayer"]
                .iter()
                .flat_map(|stem| ["c", "h"].map(|end| format!("{stem}_{id}.{end}")))
                .collect(),
            _ => vec![name.clone()],
        };
        for name in names {
            let file = folder.join(&name);
            if !file.is_file() || file != path && self.has(&name) {
                continue;
            }
            match too_large(&named(&name), file.metadata().map_or(0, |about| about.len())) {
                Some(why) => {
                    self.odd(&shown(&name), why.clone());
                    unit.trouble.push(format!("{} {why}", shown(&name)));
                }
                None => self.put(&mut unit, &shown(&name), &name, &file),
            }
        }
        if unit.claims.is_empty() {
            unit.sender = Some(id_in(&name));
        }
        self.units.push(unit);
    }

    /// Whether a file that was named before is in a unit already.
    fn has(&self, name: &str) -> bool {
        let Named::Part(part, id) = named(name) else { return false };
        self.units.iter().any(|unit| unit.claims.get(&id).is_some_and(|claim| claim.parts.contains_key(&part)))
    }

    fn is_group(&self, name: &str, inside: &[Node]) -> bool {
        let ids = claimed(inside);
        let sender = self.sender_in(name, &ids);
        // A student's folder may be made to look like an export, too.
        let one_persons =
            sender.as_ref().is_some_and(|sender| ids.contains(sender) || !ids.is_empty() && is_export(inside));
        !one_persons && (ids.len() > 1 || is_export(inside))
    }

    fn notes(&mut self, place: &str, notes: &[String]) {
        for note in notes {
            self.odd(place, note.clone());
        }
    }

    /// A folder of the staff: each thing in it is somebody's. `flat` is the right of the files that lie in it.
    pub fn survey(&mut self, nodes: Vec<Node>, flat: Right) {
        // A folder that may be one student's says nothing about others by its names.
        let believed = flat > SEVERAL;
        let most = if believed { SENDER } else { SEVERAL };
        let senders = if believed { self.gradescope_senders(&nodes) } else { BTreeMap::new() };
        let system = system_of(&nodes).filter(|_| believed);
        let mut attempts: BTreeMap<(System, String), Attempts> = BTreeMap::new();
        let mut own: BTreeMap<String, Unit> = BTreeMap::new();
        let mut companions = Vec::new();
        let single_folders = nodes
            .iter()
            .any(|node| matches!(&node.what, What::Folder(inside) if !is_export(inside) && claimed(inside).len() == 1));
        for node in nodes {
            if let Some(sender) = senders.get(&node.name) {
                self.gradescope_folder(node, sender);
                continue;
            }
            if let Some(found) = system.and_then(|system| export::exported_by(system, &node.name)) {
                let user = attempts.entry((found.system, found.user.clone())).or_default();
                user.entry(found.attempt.clone()).or_default().push((found, node));
                continue;
            }
            match node.what {
                What::File(path) => match named(&node.name) {
                    Named::Part(part, id) => {
                        let new = || Unit { place: node.place.clone(), right: flat, ..Unit::default() };
                        let unit = own.entry(id.clone()).or_insert_with(new);
                        unit.claims.entry(id).or_default().parts.entry(part).or_default().push((node.place, path));
                    }
                    Named::Companion => companions.push(path),
                    Named::Almost(why) => {
                        self.odd(&node.place, why.clone());
                        let lower = node.name.to_lowercase();
                        let work =
                            lower.contains("player") || lower.contains("basic") || numbers(&node.name).next().is_some();
                        if work {
                            let id = id_in(&node.name);
                            let misnamed = vec![format!("{} ({why})", shown(&node.name))];
                            self.units.push(Unit { place: node.place, sender: Some(id), misnamed, ..Unit::default() });
                        }
                    }
                    Named::Other(what) => {
                        self.odd(&node.place, what);
                        if let Some(id) = numbers(&node.name).next() {
                            let misnamed = vec![format!("{} ({what})", shown(&node.name))];
                            self.units.push(Unit {
                                place: node.place,
                                sender: Some(id.into()),
                                misnamed,
                                ..Unit::default()
                            });
                        }
                    }
                    Named::Zip | Named::Litter => {}
                },
                What::Folder(inside) => {
                    if self.is_group(&node.name, &inside) {
                        // Beside folders of one student each, a folder that speaks for several is suspicious.
                        let flat = if single_folders { SEVERAL } else { ALONE }.min(most);
                        if flat == SEVERAL && is_export(&inside) {
                            let what = "looks like an export, but stands beside folders of one student each; its names were \
                                        not believed. Grade it alone if a system made it";
                            self.odd(&node.place, what);
                        }
                        self.survey(inside, flat);
                    } else {
                        self.single(Node { what: What::Folder(inside), ..node }, most);
                    }
                }
                What::Zip(..) | What::Closed(_) => self.single(node, most),
            }
        }
        for mut unit in own.into_values() {
            unit.companions = companions.clone();
            self.units.push(unit);
        }
        for ((system, user), by_time) in attempts {
            self.last_attempt(system, &user, by_time);
        }
    }

    /// Only the last attempt counts; a system that does not number them hands over the last one only.
    fn last_attempt(&mut self, system: System, user: &str, mut attempts: Attempts) {
        let Some((time, files)) = attempts.pop_last() else { return };
        for (earlier, files) in attempts {
            for (_, node) in files {
                let what = format!("an earlier attempt ({}, {earlier}); the last one, {time}, counts", system.name());
                self.odd(&node.place, what);
            }
        }
        let late =
            files.iter().any(|(exported, _)| exported.late) || self.known.due.is_some_and(|due| due.passed(&time));
        let first = files.first().map(|(exported, _)| exported.clone());
        let nodes: Vec<Node> = files
            .into_iter()
            .filter(|(exported, node)| !exported.file.is_empty() || !matches!(node.what, What::File(_)))
            .map(|(exported, node)| Node {
                name: if exported.file.is_empty() { node.name } else { exported.file },
                ..node
            })
            .collect();
        let ids = claimed(&nodes);
        let sender = first.and_then(|exported| self.sender_of(&exported, &ids));
        let place = format!("{} of {}", system.name(), shown(user));
        let mut unit = Unit { place, late, ..Unit::default() };
        for node in nodes {
            self.gather(&mut unit, node);
        }
        self.close(unit, sender, SENDER, user);
    }

    fn gradescope_senders(&mut self, nodes: &[Node]) -> BTreeMap<String, export::Sender> {
        let Some(node) = nodes.iter().find(|node| node.name == "submission_metadata.yml") else {
            return BTreeMap::new();
        };
        let What::File(path) = &node.what else { return BTreeMap::new() };
        let read = std::fs::read_to_string(path).map_err(|error| error.to_string());
        match read.and_then(|text| export::gradescope(&text)) {
            Ok(senders) => senders,
            Err(error) => {
                self.odd(&node.place, format!("Gradescope's list of senders cannot be read: {error}"));
                BTreeMap::new()
            }
        }
    }

    fn gradescope_folder(&mut self, node: Node, sender: &export::Sender) {
        let place = node.place.clone();
        let late = self.known.due.is_some_and(|due| due.passed(&sender.created_at));
        let mut unit = Unit { place, late, ..Unit::default() };
        let folder = node.name.clone();
        self.gather(&mut unit, node);
        let named = || sender.names.iter().find_map(|name| self.known.roster?.id_of(name).map(String::from));
        // A group hands in together; the files' own number says whose name it stands under.
        let id = sender.ids.iter().find(|id| unit.claims.contains_key(*id)).or(sender.ids.first());
        let id = id.cloned().or_else(named);
        let name = sender.names.first().unwrap_or(&folder).clone();
        self.close(unit, id, SENDER, &name);
    }

    /// A zip or folder that is all one person's, with at most this right.
    fn single(&mut self, node: Node, most: Right) {
        let mut unit = Unit { place: node.place.clone(), ..Unit::default() };
        let name = node.name.clone();
        let empty = matches!(&node.what, What::Folder(inside) | What::Zip(inside, _) if inside.is_empty());
        if empty {
            let text = format!("{} is empty", shown(&name));
            self.odd(&node.place, "nothing is in it");
            unit.trouble.push(text);
        }
        self.gather(&mut unit, node);
        let ids: BTreeSet<String> = unit.claims.keys().cloned().collect();
        let sender = self.sender_in(&name, &ids);
        self.close(unit, sender, most.min(OWN_NAME), &name);
    }

    /// Settles whom a unit may speak for. `name` stands in for a sender without a number.
    fn close(&mut self, mut unit: Unit, sender: Option<String>, right: Right, name: &str) {
        if let Some(sender) = &sender {
            let others: Vec<String> = unit.claims.keys().filter(|id| *id != sender).cloned().collect();
            for id in others {
                let claim = unit.claims.remove(&id).unwrap_or_default();
                for (place, path) in claim.parts.into_values().flatten() {
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    self.odd(
                        &place,
                        format!("names student {id}, but was sent by {sender}; it was not taken for either"),
                    );
                    unit.misnamed.push(format!("{} (the number is not the sender's, {sender})", shown(&file)));
                }
            }
        }
        unit.right = match (&sender, unit.claims.len()) {
            (Some(_), _) => right,
            (None, 0 | 1) => right.min(ALONE),
            (None, _) => SEVERAL,
        };
        if sender.is_none() && unit.claims.is_empty() {
            unit.sender = Some(id_in(name));
            if unit.misnamed.is_empty() && unit.trouble.is_empty() {
                unit.trouble.push(format!("{} holds no aiplayer_<id>.c", shown(name)));
            }
        } else {
            unit.sender = sender;
        }
        self.units.push(unit);
    }

    /// Takes everything below a node into a unit.
    fn gather(&mut self, unit: &mut Unit, node: Node) {
        match node.what {
            What::File(path) => {
                let own = exported(&node.name).map_or(node.name, |exported| exported.file);
                self.put(unit, &node.place, &own, &path);
            }
            What::Folder(inside) => {
                if inside.is_empty() && node.place != unit.place {
                    self.odd(&node.place, "an empty folder");
                }
                for node in inside {
                    self.gather(unit, node);
                }
            }
            What::Zip(inside, notes) => {
                self.notes(&node.place, &notes);
                unit.trouble.extend(notes);
                for node in inside {
                    self.gather(unit, node);
                }
            }
            What::Closed(why) => {
                self.odd(&node.place, why.clone());
                unit.trouble.push(format!("{} {why}", shown(&node.name)));
            }
        }
    }

    fn put(&mut self, unit: &mut Unit, place: &str, name: &str, path: &Path) {
        match named(name) {
            Named::Part(part, id) => {
                unit.claims.entry(id).or_default().parts.entry(part).or_default().push((place.into(), path.into()));
            }
            Named::Companion => unit.companions.push(path.into()),
            Named::Almost(why) => {
                self.odd(place, why.clone());
                unit.misnamed.push(format!("{} ({why})", shown(name)));
            }
            Named::Other(what) => {
                self.odd(place, what);
                unit.misnamed.push(format!("{} ({what})", shown(name)));
            }
            Named::Zip | Named::Litter => {}
        }
    }
}
