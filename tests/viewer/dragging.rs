//! Drags files onto a window as a file manager does: a second client of the X server, which speaks XDND.

use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The longest wait for an answer of the window.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The version of the protocol.
const VERSION: u32 = 5;

/// Files that are dragged over a window.
pub struct Drag {
    connection: RustConnection,
    /// The window that they come from.
    source: u32,
    target: u32,
    uris: String,
}

impl Drag {
    /// Drags files, given as `text/uri-list`, onto a window until it has looked at them.
    pub fn over(display: &str, target: &str, uris: &[String]) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let source = connection.generate_id().unwrap();
        let root = connection.setup().roots[screen].root;
        connection
            .create_window(
                0,
                source,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_OUTPUT,
                0,
                &CreateWindowAux::new(),
            )
            .unwrap();
        let uris = uris.iter().map(|uri| format!("{uri}\r\n")).collect();
        let drag = Self { connection, source, target: target.parse().unwrap(), uris };
        let selection = drag.atom("XdndSelection");
        drag.connection.set_selection_owner(source, selection, x11rb::CURRENT_TIME).unwrap();
        drag.send("XdndEnter", [VERSION << 24, drag.atom("text/uri-list"), 0, 0]);
        drag.send("XdndPosition", [0, 100 << 16 | 100, x11rb::CURRENT_TIME, drag.atom("XdndActionCopy")]);
        drag.serve("XdndStatus");
        drag
    }

    /// Lets go of the files.
    pub fn drop(self) {
        self.send("XdndDrop", [0, x11rb::CURRENT_TIME, 0, 0]);
        self.serve("XdndFinished");
    }

    /// Takes them away again.
    pub fn leave(self) {
        self.send("XdndLeave", [0; 4]);
        // The server forgets what it has not read when a client is gone.
        self.connection.sync().unwrap();
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn send(&self, kind: &str, [a, b, c, d]: [u32; 4]) {
        let message = ClientMessageEvent::new(32, self.target, self.atom(kind), [self.source, a, b, c, d]);
        self.connection.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    /// Delivers the files when the window asks for them, until it prints this.
    fn serve(&self, until: &str) {
        let (until, start) = (self.atom(until), Instant::now());
        let mut is_asked = until != self.atom("XdndStatus");
        let mut is_said = false;
        while !is_asked || !is_said {
            assert!(start.elapsed() < TIMEOUT, "the window takes no files");
            match self.connection.poll_for_event().unwrap() {
                Some(Event::SelectionRequest(request)) => {
                    self.hand_over(&request);
                    is_asked = true;
                }
                Some(Event::ClientMessage(message)) if message.type_ == until => {
                    assert_eq!(message.data.as_data32()[1] & 1, 1, "the window refuses the files");
                    is_said = true;
                }
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    fn hand_over(&self, request: &SelectionRequestEvent) {
        assert_eq!(request.target, self.atom("text/uri-list"));
        let SelectionRequestEvent { time, requestor, selection, target, property, .. } = *request;
        self.connection
            .change_property8(PropMode::REPLACE, requestor, property, target, self.uris.as_bytes())
            .unwrap();
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property,
        };
        self.connection.send_event(false, requestor, EventMask::NO_EVENT, answer).unwrap();
        self.connection.flush().unwrap();
    }
}

/// The URI of a file, with every letter but the plainest as its bytes.
pub fn uri(path: &std::path::Path) -> String {
    let bytes = path.to_str().unwrap().bytes();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte);
    let letter = |byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    format!("file://{}", bytes.map(letter).collect::<String>())
}
