//! Waiting between the moves of a replay. On a terminal a key ends all waiting, and what is typed meanwhile is no command.

use std::time::{Duration, Instant};

use estr2048_toolbox::interrupt;

/// How long a signal may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// The pauses of one replay.
#[derive(Debug)]
pub struct Pauses {
    #[cfg(unix)]
    keys: Option<unix::SingleKeys>,
    skipped: bool,
}

impl Pauses {
    /// From now on, and until this is dropped, single keys are listened to if there is a terminal.
    #[must_use]
    pub fn new() -> Self {
        Self {
            #[cfg(unix)]
            keys: unix::SingleKeys::listen(),
            skipped: false,
        }
    }

    /// Whether a key would end the waiting.
    #[must_use]
    pub fn can_be_skipped(&self) -> bool {
        #[cfg(unix)]
        return self.keys.is_some();
        #[cfg(not(unix))]
        return false;
    }

    /// Waits for so long, or until a key is pressed now or has been before, or a signal asks the program to stop.
    pub fn wait(&mut self, delay: Duration) {
        let start = Instant::now();
        while !self.skipped && !interrupt::asked() {
            let rest = delay.saturating_sub(start.elapsed());
            self.skipped = self.key_within(rest.min(TICK));
            if rest.is_zero() {
                return;
            }
        }
    }

    fn key_within(&self, time: Duration) -> bool {
        #[cfg(unix)]
        if let Some(keys) = &self.keys {
            return keys.pressed(time);
        }
        std::thread::sleep(time);
        false
    }
}

impl Default for Pauses {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(unix)]
mod unix {
    use std::io::{self, IsTerminal};
    use std::time::Duration;

    use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

    use super::super::ready::has_input;

    /// The terminal gives each key at once and does not show it; Ctrl-C and its kin are signals as ever.
    #[derive(Debug)]
    pub struct SingleKeys {
        before: Termios,
    }

    impl SingleKeys {
        /// `None` where there is no terminal to read from and to show on.
        pub fn listen() -> Option<Self> {
            if !io::stdout().is_terminal() {
                return None;
            }
            let before = tcgetattr(io::stdin()).ok()?;
            let mut single = before.clone();
            single.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
            tcsetattr(io::stdin(), OptionalActions::Now, &single).ok()?;
            Some(Self { before })
        }

        pub fn pressed(&self, within: Duration) -> bool {
            has_input(&io::stdin(), within).unwrap_or(false)
        }
    }

    /// The terminal as it was; what was typed meanwhile is gone.
    impl Drop for SingleKeys {
        fn drop(&mut self) {
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
        }
    }
}
