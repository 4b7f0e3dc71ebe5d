//! A desktop's file dialog with answers set by a test: a session bus, and a portal on it. This module implements D-Bus
//! itself; the bus checks every message.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The longest wait for the window to ask.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of times that an answer is sent, ten per second.
const AGAIN: usize = 10;

/// A session bus with a portal.
pub struct Portal {
    bus: Child,
    address: String,
    asked: Receiver<String>,
    answers: Sender<Option<Vec<String>>>,
    _folder: tempfile::TempDir,
}

impl Portal {
    /// Starts both.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bus");
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            .arg(format!("--address=unix:path={}", path.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon: {error}; apt install dbus"));
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let connection = UnixStream::connect(&path).unwrap();
        let (ask, asked) = channel();
        let (answers, answer) = channel();
        let (ready, is_ready) = channel();
        std::thread::spawn(move || Service::new(connection).run(&ready, &ask, &answer));
        is_ready.recv_timeout(TIMEOUT).unwrap();
        Self { bus, address: address.trim().to_owned(), asked, answers, _folder: folder }
    }

    /// Returns the address of the bus.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits until a dialog is asked for, and returns what is asked as text.
    pub fn asked(&self) -> String {
        self.asked.recv_timeout(TIMEOUT).unwrap()
    }

    /// Ends the dialog: with these URIs, or as if the user had closed it.
    pub fn answer(&self, uris: Option<&[String]>) {
        self.answers.send(uris.map(<[String]>::to_vec)).unwrap();
    }
}

impl Drop for Portal {
    fn drop(&mut self) {
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

/// The portal's connection to the bus.
struct Service {
    stream: UnixStream,
    serial: u32,
}

/// A message that came.
struct Message {
    serial: u32,
    sender: String,
    member: String,
    body: Vec<u8>,
}

/// Bytes of a message.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn word(&mut self, word: u32) {
        self.align(4);
        self.0.extend(word.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u32);
        self.0.extend(text.bytes().chain([0]));
    }

    fn signature(&mut self, text: &str) {
        self.0.extend([text.len() as u8].into_iter().chain(text.bytes()).chain([0]));
    }

    /// An array whose elements are aligned to 8 bytes.
    fn array(&mut self, fill: impl FnOnce(&mut Self)) {
        self.word(0);
        let length = self.0.len() - 4;
        self.align(8);
        let start = self.0.len();
        fill(self);
        let count = (self.0.len() - start) as u32;
        self.0[length..length + 4].copy_from_slice(&count.to_le_bytes());
    }
}

impl Service {
    fn new(mut stream: UnixStream) -> Self {
        let user = std::fs::metadata("/proc/self").unwrap().uid().to_string();
        let user: String = user.bytes().map(|digit| format!("{digit:02x}")).collect();
        stream.write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes()).unwrap();
        let mut byte = [0];
        while byte != *b"\n" {
            stream.read_exact(&mut byte).unwrap();
        }
        stream.write_all(b"BEGIN\r\n").unwrap();
        Self { stream, serial: 0 }
    }

    /// Sends a message: its kind, its fields, each with code, type and text, and its body with a signature.
    fn send(
        &mut self,
        kind: u8,
        reply_to: Option<u32>,
        fields: &[(u8, &str, &str)],
        body: Option<(&str, Bytes)>,
    ) {
        self.serial += 1;
        let (signature, body) = body.unwrap_or_default();
        let mut bytes = Bytes(vec![b'l', kind, 0, 1]);
        bytes.word(body.0.len() as u32);
        bytes.word(self.serial);
        bytes.array(|bytes| {
            for (code, of, text) in fields {
                bytes.align(8);
                bytes.0.push(*code);
                bytes.signature(of);
                bytes.text(text);
            }
            if let Some(serial) = reply_to {
                bytes.align(8);
                bytes.0.push(5);
                bytes.signature("u");
                bytes.word(serial);
            }
            if !signature.is_empty() {
                bytes.align(8);
                bytes.0.push(8);
                bytes.signature("g");
                bytes.signature(signature);
            }
        });
        bytes.align(8);
        bytes.0.extend(body.0);
        self.stream.write_all(&bytes.0).unwrap();
    }

    fn call_bus(&mut self, member: &str, body: Option<(&str, Bytes)>) {
        let bus = "org.freedesktop.DBus";
        let fields = [(1, "o", "/org/freedesktop/DBus"), (2, "s", bus), (3, "s", member), (6, "s", bus)];
        self.send(1, None, &fields, body);
    }

    /// The next message; `None` once the bus is gone.
    fn next(&mut self) -> Option<Message> {
        let mut head = [0; 16];
        self.stream.read_exact(&mut head).ok()?;
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        let mut fields = vec![0; (word(12) as usize).next_multiple_of(8)];
        self.stream.read_exact(&mut fields).ok()?;
        let mut body = vec![0; word(4) as usize];
        self.stream.read_exact(&mut body).ok()?;
        let (sender, member) = (field(&fields, 7), field(&fields, 3));
        Some(Message { serial: word(8), sender, member, body })
    }

    fn run(&mut self, ready: &Sender<()>, ask: &Sender<String>, answers: &Receiver<Option<Vec<String>>>) {
        self.call_bus("Hello", None);
        let mut name = Bytes::default();
        name.text("org.freedesktop.portal.Desktop");
        name.word(0);
        self.call_bus("RequestName", Some(("su", name)));
        // The answers to both, and the signals about acquired names.
        for _ in 0..4 {
            self.next().unwrap();
        }
        ready.send(()).unwrap();
        while let Some(message) = self.next() {
            if message.member != "OpenFile" {
                continue;
            }
            let text = String::from_utf8_lossy(&message.body).into_owned();
            let token = behind(&message.body, b"handle_token\0");
            let sender = message.sender.trim_start_matches(':').replace('.', "_");
            let handle = format!("/org/freedesktop/portal/desktop/request/{sender}/{token}");
            let mut body = Bytes::default();
            body.text(&handle);
            self.send(2, Some(message.serial), &[(6, "s", &message.sender)], Some(("o", body)));
            if ask.send(text).is_err() {
                return;
            }
            let Ok(answer) = answers.recv() else { return };
            let mut body = Bytes::default();
            body.word(u32::from(answer.is_none()));
            body.array(|body| {
                let Some(uris) = &answer else { return };
                body.text("uris");
                body.signature("as");
                let mut list = Bytes::default();
                uris.iter().for_each(|uri| list.text(uri));
                body.word(list.0.len() as u32);
                body.0.extend(list.0);
            });
            let fields = [
                (1, "o", handle.as_str()),
                (2, "s", "org.freedesktop.portal.Request"),
                (3, "s", "Response"),
                (6, "s", message.sender.as_str()),
            ];
            // rfd 0.17 overlooks an answer that arrives together with the reply, until something else arrives.
            for _ in 0..AGAIN {
                self.send(4, None, &fields, Some(("ua{sv}", Bytes(body.0.clone()))));
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

/// The text of a header's field; empty if it is not there.
fn field(fields: &[u8], wanted: u8) -> String {
    let mut at = 0;
    while at + 4 < fields.len() {
        let (code, kind) = (fields[at], fields[at + 2]);
        let length = |at: usize| u32::from_le_bytes(fields[at..at + 4].try_into().unwrap()) as usize;
        let (start, end) = match kind {
            b's' | b'o' => (at + 8, at + 8 + length(at + 4) + 1),
            b'g' => (at + 5, at + 5 + fields[at + 4] as usize + 1),
            _ => (at + 8, at + 8),
        };
        if code == wanted {
            return String::from_utf8_lossy(&fields[start..end - 1]).into_owned();
        }
        at = end.next_multiple_of(8);
    }
    String::new()
}

/// The text that follows a key of a dictionary.
fn behind(body: &[u8], key: &[u8]) -> String {
    let at = body.windows(key.len()).position(|part| part == key).unwrap() + key.len();
    // A signature of three bytes, then a length.
    let at = (at + 3).next_multiple_of(4);
    let length = u32::from_le_bytes(body[at..at + 4].try_into().unwrap()) as usize;
    String::from_utf8_lossy(&body[at + 4..at + 4 + length]).into_owned()
}
