//! What is kept between two runs: the game of each course, and the best score.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use estr2048::Course;
use estr2048_toolbox::files::read;

use crate::course;
use crate::record;
use crate::session::{Saved, Session};

/// Writes a file of the store by way of a new one beside it, so that a kill at any moment leaves the old file or the
/// new. It does not wait for the disk, for it is done after every move.
fn replace(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let mut new = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The folder of what is kept: `$XDG_STATE_HOME/estr2048`, usually `~/.local/state/estr2048`.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The folder of this user. It is made when something is first kept.
    ///
    /// # Errors
    /// If neither `XDG_STATE_HOME` nor `HOME` is set.
    pub fn of_user() -> Result<Self> {
        let named = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = named("XDG_STATE_HOME").or_else(|| Some(named("HOME")?.join(".local/state")));
        let state = state.context("neither XDG_STATE_HOME nor HOME names a folder, so no game can be kept")?;
        Ok(Self::at(state.join("estr2048")))
    }

    /// Any folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the game of a course is kept.
    #[must_use]
    pub fn path(&self, course: Course) -> PathBuf {
        self.folder.join(format!("{}.json", course::name(course)))
    }

    /// The game of a course; `None` if there is none.
    ///
    /// # Errors
    /// If it is damaged: it is left as it is.
    pub fn load(&self, course: Course) -> Result<Option<Session>> {
        load(&self.path(course))
    }

    /// Keeps the game of a course under another name, before a new one takes its place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_previous(&self, session: &Session) -> Result<()> {
        self.keep(session)?;
        replace(&self.previous(session.course()), &record::session_file(session))
    }

    /// The game that was played before the present one.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn load_previous(&self, course: Course) -> Result<Option<Session>> {
        load(&self.previous(course))
    }

    fn previous(&self, course: Course) -> PathBuf {
        self.folder.join(format!("{}.previous.json", course::name(course)))
    }

    /// The course whose game was kept last.
    #[must_use]
    pub fn last_course(&self) -> Option<Course> {
        let changed = |course: &Course| fs::metadata(self.path(*course)).and_then(|file| file.modified()).ok();
        Course::ALL
            .into_iter()
            .filter_map(|course| Some((changed(&course)?, course)))
            .max_by_key(|&(time, _)| time)
            .map(|(_, course)| course)
    }

    /// Puts a damaged game out of the way, and tells where it is now.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn set_aside(&self, course: Course) -> Result<PathBuf> {
        let path = self.path(course);
        let aside = path.with_extension("json.damaged");
        fs::rename(&path, &aside).with_context(|| format!("cannot rename {}", path.display()))?;
        Ok(aside)
    }

    /// Keeps a game, and its score if it is the best so far.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, session: &Session) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        replace(&self.path(session.course()), &record::session_file(session))?;
        if !session.helped && session.score() > self.best(session) {
            let mut all = self.all_best();
            all.insert(board_name(session), session.score());
            replace(&self.folder.join(BEST), &(serde_json::to_string_pretty(&all)? + "\n"))?;
        }
        Ok(())
    }

    /// The best score so far in games like this one, without a computer's help; 0 if there is none.
    #[must_use]
    pub fn best(&self, session: &Session) -> i64 {
        self.all_best().get(&board_name(session)).copied().unwrap_or(0)
    }

    fn all_best(&self) -> BTreeMap<String, i64> {
        let file = fs::read(self.folder.join(BEST)).unwrap_or_default();
        serde_json::from_slice(&file).unwrap_or_default()
    }
}

fn load(path: &Path) -> Result<Option<Session>> {
    if !path.exists() {
        return Ok(None);
    }
    let saved: Saved = serde_json::from_slice(&read(path)?).with_context(|| path.display().to_string())?;
    saved.resume().map(Some).with_context(|| path.display().to_string())
}

const BEST: &str = "best.json";

/// Scores of the same course and the same size are compared.
fn board_name(session: &Session) -> String {
    let board = session.board();
    format!("{} {}x{}", course::name(session.course()), board.rows(), board.cols())
}
