//! What a cell's monitor tells the guard. No submission has this line in its hands.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use anyhow::Result;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use serde::{Deserialize, Serialize};

/// One thing that happened in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    /// The cell could not be set up; not the submission's fault.
    Trouble(String),
    /// The inmate's process.
    Started(i32),
    /// The cell's own folder comes with this word.
    Folder,
    /// The inmate is locked in, with the help of Landlock or without; a witness sees what it is refused, or nobody does.
    Locked { landlock: bool, witness: bool },
    /// A forbidden system call, in words. A process that may only compute is ended for it.
    Offence(String),
    /// More memory was asked for, or used, than there is, in words. The inmate is ended for it.
    Memory(String),
    /// The raw wait status.
    Ended(i32),
}

/// The longest report.
const MOST: usize = 4096;

/// Says it, with a descriptor if one is given.
pub fn say(line: BorrowedFd<'_>, word: &Word, descriptor: Option<BorrowedFd<'_>>) -> Result<()> {
    let text = serde_json::to_vec(word)?;
    send(line, &text[..text.len().min(MOST)], descriptor)
}

/// Sends bytes, with a descriptor if one is given.
pub fn send(line: BorrowedFd<'_>, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut extra = SendAncillaryBuffer::new(&mut space);
    let descriptors = descriptor.map(|descriptor| [descriptor]);
    if let Some(descriptors) = &descriptors {
        extra.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    retry(|| rustix::net::sendmsg(line, &[IoSlice::new(bytes)], &mut extra, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// What comes next on the line; `None` at its end, or for what is no word. Waits for it.
pub fn hear(line: BorrowedFd<'_>) -> Option<(Word, Option<OwnedFd>)> {
    let (bytes, descriptor) = receive(line)?;
    Some((serde_json::from_slice(&bytes).ok()?, descriptor))
}

/// The next packet and its descriptor; `None` at the end of the line.
pub fn receive(line: BorrowedFd<'_>) -> Option<(Vec<u8>, Option<OwnedFd>)> {
    let mut bytes = vec![0; MOST];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut extra = RecvAncillaryBuffer::new(&mut space);
    let received = retry(|| {
        rustix::net::recvmsg(line.as_fd(), &mut [IoSliceMut::new(&mut bytes)], &mut extra, RecvFlags::CMSG_CLOEXEC)
    });
    let size = received.ok()?.bytes;
    let mut descriptor = None;
    for message in extra.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            descriptor = descriptors.into_iter().next();
        }
    }
    bytes.truncate(size);
    (size > 0).then_some((bytes, descriptor))
}

/// Makes a call again that a signal interrupted.
pub fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            other => return other,
        }
    }
}
