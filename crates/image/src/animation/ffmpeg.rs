//! Videos: an `ffmpeg` of the user's encodes frames that it reads from a pipe.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;

use super::rate::Rate;
use super::{AnimationFormat, Container, Frames};
use crate::{Image, ImageError, Notes};
use sinew_system::threads;

/// The format's name in messages.
const VIDEO: &str = "video";

/// How many frames wait for ffmpeg.
const WAITING: usize = 4;

/// The most bytes of its messages that are kept.
const MAX_SAID: u64 = 1 << 16;

/// The warning about an ffmpeg that does not read its pipe.
const TAKES_NONE: &str = "ffmpeg has taken no frame for 10 s; Ctrl+C ends it";

/// Those that have been started.
static STARTED: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Ends each ffmpeg: one that has not opened its file yet would make it again after that was removed, and one that hangs would
/// outlive the program. None can be started any more; this is for a process that ends.
pub fn end_encoders() {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    for child in started.iter().filter_map(Weak::upgrade) {
        end(&mut child.lock().unwrap_or_else(PoisonError::into_inner));
    }
    // Whoever is about to start one waits until the process is gone.
    std::mem::forget(started);
}

fn end(child: &mut Child) {
    // Both fail once it has ended, as it should.
    let _ = child.kill();
    let _ = child.wait();
}

/// A video under construction; nothing once ffmpeg has ended too early.
pub struct Ffmpeg(Option<Running>);

/// An ffmpeg at work.
struct Running {
    process: Process,
    frames: SyncSender<Vec<u8>>,
    feeder: JoinHandle<io::Result<()>>,
    /// What it says, in the end.
    said: JoinHandle<String>,
}

impl Ffmpeg {
    /// Begins a video at `place`, which ffmpeg may overwrite.
    pub fn new(
        place: &Path,
        format: AnimationFormat,
        frames: &Frames,
        notes: &Notes,
    ) -> Result<Self, ImageError> {
        let mut command = Command::new("ffmpeg");
        // Ctrl+C in a terminal would end it first, as if it had failed; we end it ourselves.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
            .args(input(frames))
            .args(output(place, format, notes))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let (process, stdin, stderr) =
            Process::start(&mut command).map_err(|error| not_started(format, &error))?;
        let (Some(mut stdin), Some(stderr)) = (stdin, stderr) else {
            return Err(ImageError::write(VIDEO, "no pipe leads to ffmpeg"));
        };
        let said = threads::spawn(move || listen(stderr))?;
        let (frames, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let feeder =
            threads::spawn(move || waiting.into_iter().try_for_each(|frame| stdin.write_all(&frame)))?;
        Ok(Self(Some(Running { process, frames, feeder, said })))
    }
}

impl Running {
    /// Sends a frame to ffmpeg when it has room for one. Returns `false` if ffmpeg has ended.
    fn send(&self, frame: Vec<u8>) -> bool {
        let mut frame = Some(frame);
        let try_send = || match self.frames.try_send(frame.take().unwrap_or_default()) {
            Ok(()) => Some(true),
            Err(TrySendError::Disconnected(_)) => Some(false),
            Err(TrySendError::Full(back)) => {
                frame = Some(back);
                None
            }
        };
        threads::poll(try_send, || tracing::warn!("{TAKES_NONE}"))
    }

    /// Waits until ffmpeg ends.
    fn end(self) -> Result<(), ImageError> {
        let Self { process, frames, feeder, said } = self;
        // Ends the feeder, which closes the pipe, which ends ffmpeg.
        drop(frames);
        threads::poll(|| feeder.is_finished().then_some(()), || tracing::warn!("{TAKES_NONE}"));
        let fed = feeder.join().map_err(|_| ImageError::write(VIDEO, "the pipe to ffmpeg broke"))?;
        let status = process.wait()?;
        let said = said.join().unwrap_or_default();
        match said.lines().rfind(|line| !line.trim().is_empty()) {
            None if status.success() => Ok(fed?),
            // It also ends well where a full disk has cut the file off, and says so.
            Some(last) => Err(ImageError::write(VIDEO, format!("ffmpeg: {}", last.trim()))),
            None => Err(ImageError::write(VIDEO, format!("ffmpeg ended with {status}"))),
        }
    }
}

impl Container for Ffmpeg {
    type Frame = Vec<u8>;

    /// Frames have no delays of their own.
    const TICKS: f64 = 1.0;

    fn encode(image: Image, _: u16, _: Option<u8>) -> Result<Vec<u8>, ImageError> {
        Ok(image.rgba)
    }

    fn add(&mut self, frame: Vec<u8>) -> Result<(), ImageError> {
        if let Some(running) = &self.0
            && running.send(frame)
        {
            return Ok(());
        }
        // It has ended, and says why.
        self.0.take().map_or(Ok(()), Running::end)?;
        Err(ImageError::Io(io::ErrorKind::BrokenPipe.into()))
    }

    fn finish(self) -> Result<(), ImageError> {
        self.0.map_or(Ok(()), Running::end)
    }
}

/// A process that is ended when nobody waits for it any more.
struct Process(Arc<Mutex<Child>>);

impl Process {
    /// Starts it. It is on the list before anybody may look at that: a signal that comes in between would leave it alone with
    /// its file.
    fn start(command: &mut Command) -> io::Result<(Self, Option<ChildStdin>, Option<ChildStderr>)> {
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn()?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        started.retain(|child| child.strong_count() > 0);
        started.push(Arc::downgrade(&child));
        Ok((Self(child), stdin, stderr))
    }

    /// Waits until it has ended. Its lock stays free most of the time, so that a signal can end it.
    fn wait(&self) -> io::Result<ExitStatus> {
        let ask = || self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait().transpose();
        threads::poll(ask, || tracing::warn!("ffmpeg has not finished the video for 10 s; Ctrl+C ends it"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What the pipe holds.
fn input(frames: &Frames) -> Vec<String> {
    let ([width, height], rate) = (frames.size, Rate::new(frames.per_second));
    let words = format!(
        "-nostdin -hide_banner -loglevel error -y -f rawvideo -pixel_format rgba -video_size {width}x{height} \
         -framerate {rate} -i pipe:0"
    );
    words.split(' ').map(str::to_owned).collect()
}

/// What becomes of it.
fn output(place: &Path, format: AnimationFormat, notes: &Notes) -> Vec<OsString> {
    // Players guess the colours of a video that does not say them.
    let colors = "-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p -colorspace bt709 -color_primaries bt709 \
                  -color_trc iec61966-2-1 -color_range tv -map_metadata -1";
    // Matroska's files would have a number by chance.
    let encoder = match format {
        AnimationFormat::Webm => {
            "-fflags +bitexact -f webm -c:v libvpx-vp9 -crf 20 -b:v 0 -row-mt 1 -deadline good -cpu-used 4"
        }
        AnimationFormat::Mkv => "-fflags +bitexact -f matroska -c:v libx264 -crf 16",
        _ => "-f mp4 -movflags +faststart -c:v libx264 -crf 16",
    };
    let mut words: Vec<OsString> =
        [colors, encoder].iter().flat_map(|words| words.split_whitespace()).map(OsString::from).collect();
    let notes: Vec<String> = notes.0.iter().map(|(name, text)| format!("{name}: {text}")).collect();
    words.extend([
        "-metadata".into(),
        format!("comment={}", notes.join("\n").replace('\0', "\u{fffd}")).into(),
    ]);
    let mut file = OsString::from("file:");
    file.push(place);
    words.push(file);
    words
}

fn not_started(format: AnimationFormat, error: &io::Error) -> ImageError {
    let extension = format.extension();
    ImageError::write(
        VIDEO,
        match error.kind() {
            io::ErrorKind::NotFound => format!(
                ".{extension} needs ffmpeg, which is not on the path; get it from your packages or \
                 https://ffmpeg.org, or write .webp, .apng or .y4m"
            ),
            _ => format!("ffmpeg does not start: {error}"),
        },
    )
}

/// All that it says, or the beginning of much.
fn listen(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is not told.
    let _ = stderr.by_ref().take(MAX_SAID).read_to_end(&mut bytes);
    // A full pipe would stop it.
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
