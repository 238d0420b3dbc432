//! A student's C file as one of the players of `estr2048 run`.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use estr2048::Direction;
use estr2048::board::GameBoard;

use crate::compile::{Compiler, DEFAULT_FLAGS};
use crate::game::failure_words;
use crate::player::{Limits, Player};
use crate::sandbox::{self, probe};

/// A compiled player; each game starts it anew.
pub struct Student {
    /// The shared object, in memory, so that nothing is left on disk.
    object: OwnedFd,
    function: String,
    limits: Limits,
}

/// Time of a move, as in the assignment.
const MOVE_TIME: Duration = Duration::from_secs(5);
const MEMORY: u64 = 1 << 30;
const OUTPUT: u64 = 1 << 20;

impl Student {
    /// Compiles a file, once for all games of this program.
    ///
    /// # Errors
    /// In words for the student, if the file cannot be compiled or holds no player.
    pub fn of(path: &Path, move_time: Option<Duration>) -> Result<Arc<Self>> {
        static COMPILED: Mutex<BTreeMap<PathBuf, Arc<Student>>> = Mutex::new(BTreeMap::new());
        let path = path.canonicalize().with_context(|| path.display().to_string())?;
        let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(student) = compiled.get(&path) {
            return Ok(student.clone());
        }
        let student = Arc::new(Self::compile(&path, move_time.unwrap_or(MOVE_TIME))?);
        compiled.insert(path, student.clone());
        Ok(student)
    }

    fn compile(path: &Path, move_time: Duration) -> Result<Self> {
        let (level, _) = probe::strongest_level()?;
        let compiler = Compiler::find(level, DEFAULT_FLAGS)?;
        let work = sandbox::workshop()?;
        let folder = work.path().join("build");
        fs::create_dir(&folder)?;
        let name = path.file_name().context("a player is a file")?.to_string_lossy().into_owned();
        for entry in fs::read_dir(path.parent().unwrap_or(Path::new(".")))?.flatten() {
            let file = entry.path();
            if file == path || file.extension().is_some_and(|extension| extension == "h") && file.is_file() {
                fs::copy(&file, folder.join(entry.file_name()))?;
            }
        }
        let build = compiler.shared_object(&folder, &name)?;
        if let Some(failure) = build.failure {
            bail!("{name} does not compile: {failure}\n{}", build.messages);
        }
        let mut players = build.defined.into_iter().filter(|name| name.starts_with("aiplayer_"));
        let function = players.next().with_context(|| format!("{name} has no function aiplayer_<id>"))?;
        let bytes = fs::read(build.library.context("the linker left no file")?)?;
        let object = rustix::fs::memfd_create("player", rustix::fs::MemfdFlags::CLOEXEC)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            rest = &rest[rustix::io::write(&object, rest)?..];
        }
        let limits = Limits { level, move_time, memory: MEMORY, output: OUTPUT };
        Ok(Self { object, function, limits })
    }

    /// A fresh process for one game.
    pub fn start(&self) -> Result<Game> {
        let path = format!("/proc/{}/fd/{}", std::process::id(), self.object.as_raw_fd());
        let started = Player::start(Path::new(&path), &self.function, &self.limits);
        let player = started.map_err(|failure| anyhow!(failure_words(&failure, 1, &self.function).1))?;
        Ok(Game { player, function: self.function.clone(), number: 0 })
    }
}

/// One game of a student's player.
pub struct Game {
    player: Player,
    function: String,
    number: usize,
}

impl Game {
    /// The move for this board.
    ///
    /// # Errors
    /// In words, if the player fails or returns no direction.
    pub fn choose(&mut self, board: &GameBoard) -> Result<Direction> {
        self.number += 1;
        let number = self.number;
        let answer =
            self.player.ask(board).map_err(|failure| anyhow!(failure_words(&failure, number, &self.function).1))?;
        let direction = Direction::from_number(answer.value);
        direction.with_context(|| format!("in move {number} it returned {}; allowed are 0 to 3", answer.value))
    }
}
