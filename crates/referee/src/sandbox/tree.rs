//! What a cell sees of the file system: a few folders of the system, read-only, and a folder of its own.
//!
//! At level 3 this is a mount tree with nothing else in it. Below, the folder is one of the guard's, empty before and
//! removed afterwards, and Landlock keeps the inmate in.

use std::fs;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown, symlink};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};

use super::message::Order;

/// Where the shared object lies in its empty file system.
pub const LIBRARY: &str = "/player.so";

/// Where a process finds its own open files.
pub const MEMORY_FILES: &str = "/proc/self/fd/";

/// Where the cell's own folder lies in its mount tree.
pub const FOLDER: &str = "/submission";

/// Devices that every program may expect.
pub const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"];

/// A process's view of itself; sanitizers look there for the bounds of their stack.
pub const ITSELF: &str = "/proc/self";

/// Makes the file system of a cell that has one of its own, goes there, and gives the cell's own folder.
pub fn build(order: &Order, view: &[PathBuf]) -> Result<OwnedFd> {
    rustix::mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let luggage = pack(&order.bring)?;
    let root = ["/mnt", "/media", "/srv", "/tmp", "/var"].map(Path::new).into_iter().find(|path| path.is_dir());
    let root = root.context("no folder to mount an empty file system on")?;
    let flags = MountFlags::NODEV | MountFlags::NOSUID;
    rustix::mount::mount("none", root, "tmpfs", flags, c"size=1m,nr_inodes=1000,mode=755")
        .context("mount an empty file system")?;
    for path in view {
        show(path, root)?;
    }
    let folder = inside(root, Path::new(FOLDER));
    fs::create_dir(&folder)?;
    // What is brought must fit, whatever the inmate may write.
    let size = order.limits.disk + luggage.size;
    let options = std::ffi::CString::new(format!("size={size},nr_inodes={},mode=700", 1000 + luggage.items.len()))?;
    rustix::mount::mount("none", &folder, "tmpfs", flags, options.as_c_str()).context("mount the cell's own folder")?;
    unpack(&luggage, &folder, order.user)?;
    let folder = rustix::fs::openat(CWD, &folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::process::chdir(root)?;
    match rustix::process::pivot_root(".", ".") {
        Ok(()) => rustix::mount::unmount(".", UnmountFlags::DETACH).context("leave the old file system")?,
        // The very first file system of a machine cannot be left like that.
        Err(_) => rustix::process::chroot(".")?,
    }
    rustix::process::chdir("/")?;
    rustix::mount::mount_remount("/", flags | MountFlags::RDONLY, c"").context("make the file system read-only")?;
    rustix::process::chdir(FOLDER)?;
    Ok(folder)
}

/// The place of an absolute path below another root.
fn inside(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// Shows a file or folder of the old file system in the new one, read-only.
fn show(path: &Path, root: &Path) -> Result<()> {
    let Ok(kind) = fs::symlink_metadata(path) else { return Ok(()) };
    let target = inside(root, path);
    if fs::symlink_metadata(&target).is_ok() {
        return Ok(());
    }
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    if kind.is_symlink() && path != Path::new(ITSELF) {
        symlink(fs::read_link(path)?, &target)?;
        return Ok(());
    }
    if path.is_dir() {
        fs::create_dir(&target)?;
    } else {
        fs::write(&target, "")?;
    }
    rustix::mount::mount_bind_recursive(path, &target).with_context(|| format!("show {}", path.display()))?;
    let device = path.starts_with("/dev");
    read_only(&target, device).with_context(|| format!("make {} read-only", path.display()))
}

/// Makes a mount and those below it read-only, and its devices dead unless it is one that is shown on purpose.
fn read_only(target: &Path, device: bool) -> Result<()> {
    let flags = MountFlags::NOSUID | if device { MountFlags::empty() } else { MountFlags::RDONLY | MountFlags::NODEV };
    if super::sys::restrict_mounts(target, flags).is_ok() {
        return Ok(());
    }
    // Kernels before 5.12: this mount alone. What its user may not change about it must be repeated.
    let old = rustix::fs::statvfs(target)?.f_flag.bits() as u32;
    let kept = MountFlags::from_bits_truncate(old)
        & (MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::NOATIME | MountFlags::RELATIME);
    Ok(rustix::mount::mount_remount(target, MountFlags::BIND | flags | kept, c"")?)
}

/// Fills the cell's own folder where it has no file system of its own, and goes there.
pub fn fill(order: &Order, folder: &Path) -> Result<()> {
    unpack(&pack(&order.bring)?, folder, order.user)?;
    if let Some(user) = order.user {
        chown(folder, Some(user), Some(user))?;
    }
    std::env::set_current_dir(folder).with_context(|| folder.display().to_string())
}

/// What is brought into a cell: read before anything is mounted over it.
struct Luggage {
    items: Vec<(PathBuf, Option<Vec<u8>>)>,
    size: u64,
}

fn pack(bring: &[(PathBuf, PathBuf)]) -> Result<Luggage> {
    let mut luggage = Luggage { items: Vec::new(), size: 0 };
    for (from, to) in bring {
        ensure!(to.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)), "a bad name");
        pack_one(from, to, &mut luggage).with_context(|| from.display().to_string())?;
    }
    Ok(luggage)
}

fn pack_one(from: &Path, to: &Path, luggage: &mut Luggage) -> Result<()> {
    /// A page, and what the file system keeps about a file.
    const OVERHEAD: u64 = 8192;
    const MOST: u64 = 512 << 20;
    let kind = fs::symlink_metadata(from)?;
    if kind.is_dir() {
        luggage.items.push((to.into(), None));
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            pack_one(&entry.path(), &to.join(entry.file_name()), luggage)?;
        }
    } else if kind.is_file() {
        luggage.size += kind.size() + OVERHEAD;
        ensure!(luggage.size <= MOST, "more than {} MB", MOST >> 20);
        luggage.items.push((to.into(), Some(fs::read(from)?)));
    }
    Ok(())
}

fn unpack(luggage: &Luggage, folder: &Path, user: Option<u32>) -> Result<()> {
    for (name, bytes) in &luggage.items {
        let target = folder.join(name);
        match bytes {
            Some(bytes) => {
                let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&target)?;
                file.write_all(bytes)?;
            }
            None => fs::create_dir_all(&target)?,
        }
        if let Some(user) = user {
            chown(&target, Some(user), Some(user))?;
        }
    }
    if let Some(user) = user {
        chown(folder, Some(user), Some(user))?;
    }
    Ok(())
}

/// Copies a plain file out of a cell's own folder, whose owner may have put anything there. False if there is none.
pub fn fetch(folder: impl AsFd, name: &str, target: &Path, most: u64) -> Result<bool> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = rustix::fs::openat(folder, name, flags, Mode::empty()) else { return Ok(false) };
    let file = fs::File::from(file);
    let kind = file.metadata()?;
    if !kind.is_file() || kind.len() > most {
        return Ok(false);
    }
    let _ = fs::remove_file(target);
    let mut copy = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(target)?;
    std::io::copy(&mut std::io::Read::take(file, most), &mut copy).with_context(|| target.display().to_string())?;
    Ok(true)
}
