//! A Wayland session without a screen: the compositor sway, with a keyboard, a mouse and eyes of the test's own, by the
//! protocols that tools for it use.

use std::io::{Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sinew::image::Image;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::{wl_buffer, wl_output, wl_pointer, wl_registry, wl_seat, wl_shm, wl_shm_pool};
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, WEnum, delegate_noop};
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::{
    zwp_virtual_keyboard_manager_v1, zwp_virtual_keyboard_v1,
};
use wayland_protocols_wlr::screencopy::v1::client::{zwlr_screencopy_frame_v1, zwlr_screencopy_manager_v1};
use wayland_protocols_wlr::virtual_pointer::v1::client::{
    zwlr_virtual_pointer_manager_v1, zwlr_virtual_pointer_v1,
};

use crate::common::sinew;
use crate::program::Program;
use crate::screen::see_hint;

/// Advice for a machine that lacks a program.
const INSTALL: &str = "apt install sway wl-clipboard (scripts/setup.sh test does)";

/// The unprivileged user that runs sway if the tests run as root, because sway refuses to run as root.
const NOBODY: u32 = 65_534;

/// Windows float without borders in the upper left corner.
const CONFIG: &str = "xwayland disable
output * background #000000 solid_color
for_window [app_id=\".*\"] floating enable, border none, move absolute position 0 0
";

/// A key with the number that the kernel gives it, and whether Ctrl and Shift are held.
const KEYS: [(&str, u32, bool, bool); 13] = [
    ("1", 2, false, false),
    ("2", 3, false, false),
    ("3", 4, false, false),
    ("i", 23, false, false),
    ("n", 49, false, false),
    ("?", 53, false, true),
    ("Return", 28, false, false),
    ("Escape", 1, false, false),
    ("Down", 108, false, false),
    ("F7", 65, false, false),
    ("ctrl+c", 46, true, false),
    ("ctrl+q", 16, true, false),
    ("ctrl+z", 44, true, false),
];

/// A compositor, and the test's connection to it.
pub struct Session {
    server: Child,
    folder: tempfile::TempDir,
    queue: EventQueue<Eyes>,
    eyes: Eyes,
    hands: Hands,
    size: [u32; 2],
}

/// The test's devices.
struct Hands {
    keyboard: zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1,
    pointer: zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1,
    copier: zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1,
    shm: wl_shm::WlShm,
    output: wl_output::WlOutput,
    began: Instant,
}

/// The compositor's answers about a requested picture.
#[derive(Default)]
struct Eyes {
    /// Width, height and bytes a row.
    layout: Option<[u32; 3]>,
    is_flipped: bool,
    is_ready: Option<bool>,
}

impl Session {
    /// Starts a compositor with a screen of this size.
    pub fn start(width: u32, height: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = format!("output HEADLESS-1 resolution {width}x{height} position 0 0\n");
        std::fs::write(folder.path().join("config"), output + CONFIG).unwrap();
        let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let mut command = match is_root {
            true => {
                chown(folder.path(), Some(NOBODY), None).unwrap();
                let mut command = Command::new("setpriv");
                let user = format!("--reuid={NOBODY}");
                command.args([&user, "--regid=65534", "--clear-groups", "sway"]);
                command
            }
            false => Command::new("sway"),
        };
        command.arg("--config").arg(folder.path().join("config"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("HOME", folder.path());
        command.env("XDG_RUNTIME_DIR", folder.path());
        for (name, value) in
            [("WLR_BACKENDS", "headless"), ("WLR_RENDERER", "pixman"), ("WLR_LIBINPUT_NO_DEVICES", "1")]
        {
            command.env(name, value);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = command.spawn().unwrap_or_else(|error| panic!("sway: {error}; {INSTALL}"));
        let (queue, hands) = connect(folder.path().join("wayland-1"));
        let mut session = Self { server, folder, queue, eyes: Eyes::default(), hands, size: [width, height] };
        session.message("-t get_version");
        session.point_away();
        session
    }

    /// Opens a window of the program.
    pub fn open(&self, words: &[&str]) -> Program {
        see_hint();
        let socket = self.folder.path().join("wayland-1");
        Program::start(sinew(words).env_remove("DISPLAY").env("WAYLAND_DISPLAY", socket))
    }

    /// Has the compositor do something.
    pub fn message(&self, text: &str) {
        let by = Instant::now() + Duration::from_secs(20);
        loop {
            let socket = std::fs::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.path());
            let is_ipc = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("sway-ipc");
            let socket = { socket }.find(is_ipc);
            let done = socket.map(|socket| {
                let mut command = Command::new("swaymsg");
                command.arg("--socket").arg(socket).args(text.split(' '));
                command.output().unwrap_or_else(|error| panic!("swaymsg: {error}; {INSTALL}"))
            });
            if done.as_ref().is_some_and(|done| done.status.success()) {
                return;
            }
            assert!(Instant::now() < by, "swaymsg {text}: {done:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text in the clipboard.
    pub fn clipboard(&self) -> String {
        let done = Command::new("timeout")
            .args(["20", "wl-paste", "--no-newline"])
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env("WAYLAND_DISPLAY", "wayland-1")
            .output()
            .unwrap();
        assert!(done.status.success(), "wl-paste: {}; {INSTALL}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Ends the compositor, as a crash would.
    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// Presses and releases a key.
    pub fn key(&mut self, name: &str) {
        let (_, code, ctrl, shift) =
            KEYS.into_iter().find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("what is {name}?"));
        let keyboard = &self.hands.keyboard;
        let press = |code: u32, is_down: bool| keyboard.key(self.hands.millis(), code, is_down.into());
        let mask = u32::from(shift) | u32::from(ctrl) << 2;
        let held = [(ctrl, 29), (shift, 42)];
        held.iter().filter(|(is, _)| *is).for_each(|(_, code)| press(*code, true));
        keyboard.modifiers(mask, 0, 0, 0);
        press(code, true);
        press(code, false);
        held.iter().filter(|(is, _)| *is).for_each(|(_, code)| press(*code, false));
        keyboard.modifiers(0, 0, 0, 0);
        self.sent();
    }

    /// Moves the mouse to a pixel of the screen.
    pub fn point(&mut self, [x, y]: [u32; 2]) {
        let [width, height] = self.size;
        self.hands.pointer.motion_absolute(self.hands.millis(), x, y, width, height);
        self.hands.pointer.frame();
        self.sent();
    }

    /// Moves the mouse to the lower right corner, because it is part of what the screen shows.
    pub fn point_away(&mut self) {
        self.point(self.size.map(|side| side - 1));
    }

    /// Presses or releases the left button.
    pub fn button(&mut self, is_down: bool) {
        const LEFT: u32 = 0x110;
        let state =
            if is_down { wl_pointer::ButtonState::Pressed } else { wl_pointer::ButtonState::Released };
        self.hands.pointer.button(self.hands.millis(), LEFT, state);
        self.hands.pointer.frame();
        self.sent();
    }

    /// Turns the wheel by a notch, towards the user.
    pub fn wheel(&mut self) {
        let (axis, pointer) = (wl_pointer::Axis::VerticalScroll, &self.hands.pointer);
        pointer.axis_source(wl_pointer::AxisSource::Wheel);
        pointer.axis_discrete(self.hands.millis(), axis, 15.0, 1);
        pointer.frame();
        self.sent();
    }

    fn sent(&mut self) {
        self.queue.roundtrip(&mut self.eyes).unwrap();
    }

    /// Returns a picture of the screen.
    pub fn picture(&mut self) -> Image {
        self.eyes = Eyes::default();
        let handle = self.queue.handle();
        let frame = self.hands.copier.capture_output(0, &self.hands.output, &handle, ());
        while self.eyes.layout.is_none() {
            self.queue.blocking_dispatch(&mut self.eyes).unwrap();
        }
        let [width, height, row] = self.eyes.layout.unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.set_len(u64::from(row * height)).unwrap();
        let pool = self.hands.shm.create_pool(file.as_fd(), (row * height) as i32, &handle, ());
        let format = wl_shm::Format::Xrgb8888;
        let buffer = pool.create_buffer(0, width as i32, height as i32, row as i32, format, &handle, ());
        frame.copy(&buffer);
        while self.eyes.is_ready.is_none() {
            self.queue.blocking_dispatch(&mut self.eyes).unwrap();
        }
        assert_eq!(self.eyes.is_ready, Some(true), "the screen was not copied");
        buffer.destroy();
        pool.destroy();
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        let mut rows: Vec<&[u8]> = bytes.chunks(row as usize).collect();
        if self.eyes.is_flipped {
            rows.reverse();
        }
        let pixels = rows.iter().flat_map(|bytes| bytes.chunks(4).take(width as usize));
        let rgba = pixels.flat_map(|pixel| [pixel[2], pixel[1], pixel[0], 255]).collect();
        Image { width, height, rgba }
    }

    /// The upper left corner of the screen.
    pub fn corner(&mut self, width: u32, height: u32) -> Image {
        let whole = self.picture();
        let rows = whole.rgba.chunks(whole.width as usize * 4).take(height as usize);
        let rgba = rows.flat_map(|row| row[..width as usize * 4].to_vec()).collect();
        Image { width, height, rgba }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Hands {
    fn millis(&self) -> u32 {
        self.began.elapsed().as_millis() as u32
    }
}

/// Connects to a compositor that is about to start.
fn connect(socket: PathBuf) -> (EventQueue<Eyes>, Hands) {
    let by = Instant::now() + Duration::from_secs(20);
    let stream = loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => break stream,
            Err(error) => assert!(Instant::now() < by, "sway does not start: {error}; {INSTALL}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let connection = Connection::from_socket(stream).unwrap();
    let (globals, queue) = registry_queue_init::<Eyes>(&connection).unwrap();
    let handle = queue.handle();
    let seat: wl_seat::WlSeat = globals.bind(&handle, 1..=7, ()).unwrap();
    let keyboards: zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1 =
        globals.bind(&handle, 1..=1, ()).unwrap();
    let pointers: zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1 =
        globals.bind(&handle, 1..=2, ()).unwrap();
    let keyboard = keyboards.create_virtual_keyboard(&seat, &handle, ());
    let mut keymap = tempfile::tempfile().unwrap();
    let text = b"xkb_keymap { xkb_keycodes { include \"evdev+aliases(qwerty)\" }; xkb_types { include \"complete\" }; \
        xkb_compat { include \"complete\" }; xkb_symbols { include \"pc+us+inet(evdev)\" }; };\0";
    keymap.write_all(text).unwrap();
    keyboard.keymap(1, keymap.as_fd(), text.len() as u32);
    let hands = Hands {
        pointer: pointers.create_virtual_pointer(Some(&seat), &handle, ()),
        keyboard,
        copier: globals.bind(&handle, 1..=3, ()).unwrap(),
        shm: globals.bind(&handle, 1..=1, ()).unwrap(),
        output: globals.bind(&handle, 1..=4, ()).unwrap(),
        began: Instant::now(),
    };
    (queue, hands)
}

impl Dispatch<zwlr_screencopy_frame_v1::ZwlrScreencopyFrameV1, ()> for Eyes {
    fn event(
        eyes: &mut Self,
        _: &zwlr_screencopy_frame_v1::ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        use zwlr_screencopy_frame_v1::{Event, Flags};
        match event {
            Event::Buffer { width, height, stride, .. } => eyes.layout = Some([width, height, stride]),
            Event::Flags { flags: WEnum::Value(flags) } => eyes.is_flipped = flags.contains(Flags::YInvert),
            Event::Ready { .. } => eyes.is_ready = Some(true),
            Event::Failed => eyes.is_ready = Some(false),
            _ => {}
        }
    }
}

impl Dispatch<wl_registry::WlRegistry, GlobalListContents> for Eyes {
    fn event(
        _: &mut Self,
        _: &wl_registry::WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(Eyes: ignore wl_buffer::WlBuffer);
delegate_noop!(Eyes: ignore wl_output::WlOutput);
delegate_noop!(Eyes: ignore wl_seat::WlSeat);
delegate_noop!(Eyes: ignore wl_shm::WlShm);
delegate_noop!(Eyes: wl_shm_pool::WlShmPool);
delegate_noop!(Eyes: zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1);
delegate_noop!(Eyes: zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1);
delegate_noop!(Eyes: zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1);
delegate_noop!(Eyes: zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1);
delegate_noop!(Eyes: zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1);
