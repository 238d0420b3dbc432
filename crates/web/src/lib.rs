//! `estr2048 web`: the games as a page in the browser, for this machine alone. `docs/web.md` tells its interface.

mod class;
mod file;
mod guard;
mod house;
mod message;
mod server;
mod tab;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use estr2048_session::store::Store;
use estr2048_toolbox::output::{print, tell};
use tokio::net::TcpListener;

pub use file::{Page, run as page};

/// Play, watch and analyse on a page in the browser.
///
/// Prints the page's address and serves it to this machine alone until Ctrl-C. Who does not know the address, with the
/// random token in it, gets nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  estr2048 web\n  estr2048 web --class graded/ --port 8048\n\n\
                        docs/web.md describes the interface for programs.")]
pub struct Web {
    /// The port on 127.0.0.1 [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The folder that estr2048 grade has written: its page is shown, and its games can be watched
    #[arg(long, value_name = "FOLDER")]
    class: Option<PathBuf>,
}

/// Serves until a signal ends it.
///
/// # Errors
/// If the port is taken, or the class's folder is none.
pub fn run(arguments: &Web) -> Result<ExitCode> {
    if let Some(folder) = &arguments.class {
        ensure!(
            folder.is_dir(),
            "{} is no folder; --class takes the one that estr2048 grade has written",
            folder.display()
        );
    }
    let store = Store::of_user().inspect_err(|error| tell(format_args!("estr2048: {error:#}"))).ok();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
        let listener = TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("cannot listen on {address}; --port names another port"))?;
        let token = guard::token();
        let port = listener.local_addr()?.port();
        // At once: who reads the address alone (`| head -1`) does not end the server by that.
        let text = format!(
            "http://127.0.0.1:{port}/{token}/\nOpen this address in a browser on this machine. Ctrl-C ends it.\n"
        );
        print(text)?;
        server::serve(listener, house::House { token, port, store, class: arguments.class.clone() }).await?;
        Ok(ExitCode::SUCCESS)
    })
}
