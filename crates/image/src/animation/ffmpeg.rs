//! Videos: the user's installed `ffmpeg` encodes frames that it reads from a pipe.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;

use super::rate::Rate;
use super::{Container, Frames, VideoFormat};
use crate::{Image, ImageError, Notes};
use sinew_system::threads;

/// The format's name in messages.
const VIDEO: &str = "video";

/// The number of frames that may wait for ffmpeg.
const WAITING: usize = 4;

/// The maximum number of bytes of ffmpeg's messages to keep.
const MAX_SAID: u64 = 1 << 16;

/// The warning about an ffmpeg that does not read its pipe.
const TAKES_NONE: &str = "ffmpeg has taken no frame for 10 s; Ctrl+C ends it";

/// All encoders that have been started.
static STARTED: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Ends every ffmpeg, for a process that exits. An ffmpeg that has not opened its file yet would create it again after its
/// removal, and a hanging one would outlive the program. Afterwards none can start.
pub fn end_encoders() {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    for child in started.iter().filter_map(Weak::upgrade) {
        end(&mut child.lock().unwrap_or_else(PoisonError::into_inner));
    }
    // A thread that is about to start an encoder waits here until the process exits.
    std::mem::forget(started);
}

fn end(child: &mut Child) {
    // Both fail if it has already ended, which is fine.
    let _ = child.kill();
    let _ = child.wait();
}

/// A video under construction; `None` once ffmpeg has ended too early.
pub struct Ffmpeg(Option<Running>);

/// A running ffmpeg.
struct Running {
    process: Process,
    frames: SyncSender<Vec<u8>>,
    feeder: JoinHandle<io::Result<()>>,
    /// Its messages, once it has ended.
    said: JoinHandle<String>,
}

impl Ffmpeg {
    /// Begins a video at `place`; ffmpeg may overwrite that file.
    pub fn new(
        place: &Path,
        format: VideoFormat,
        frames: &Frames,
        notes: &Notes,
    ) -> Result<Self, ImageError> {
        let mut command = Command::new("ffmpeg");
        // In its own process group, Ctrl+C in a terminal does not end ffmpeg first, as if it had failed. Sinew ends it.
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
            return Err(ImageError::write(VIDEO, "no pipe to ffmpeg"));
        };
        let said = threads::spawn(move || listen(stderr))?;
        let (frames, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let feeder =
            threads::spawn(move || waiting.into_iter().try_for_each(|frame| stdin.write_all(&frame)))?;
        Ok(Self(Some(Running { process, frames, feeder, said })))
    }
}

impl Running {
    /// Sends a frame to ffmpeg once the queue has room. Returns `false` if ffmpeg has ended.
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
        // This ends the feeder, which closes the pipe, which ends ffmpeg.
        drop(frames);
        threads::poll(|| feeder.is_finished().then_some(()), || tracing::warn!("{TAKES_NONE}"));
        let fed = feeder.join().map_err(|_| ImageError::write(VIDEO, "the pipe to ffmpeg broke"))?;
        let status = process.wait()?;
        let said = said.join().unwrap_or_default();
        match said.lines().rfind(|line| !line.trim().is_empty()) {
            None if status.success() => Ok(fed?),
            // It also exits with success after a full disk has truncated the file, but reports that.
            Some(last) => Err(ImageError::write(VIDEO, format!("ffmpeg: {}", last.trim()))),
            None => Err(ImageError::write(VIDEO, format!("ffmpeg ended with {status}"))),
        }
    }
}

impl Container for Ffmpeg {
    type Frame = Vec<u8>;

    /// Frames have no separate delays.
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
        // ffmpeg has ended and reports the reason.
        self.0.take().map_or(Ok(()), Running::end)?;
        Err(ImageError::Io(io::ErrorKind::BrokenPipe.into()))
    }

    fn finish(self) -> Result<(), ImageError> {
        self.0.map_or(Ok(()), Running::end)
    }
}

/// A process that is killed when the last reference to it is dropped.
struct Process(Arc<Mutex<Child>>);

impl Process {
    /// Starts the process. It is on the list before any thread can read the list, so that a signal in between cannot leave
    /// it running with its file.
    fn start(command: &mut Command) -> io::Result<(Self, Option<ChildStdin>, Option<ChildStderr>)> {
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn()?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        started.retain(|child| child.strong_count() > 0);
        started.push(Arc::downgrade(&child));
        Ok((Self(child), stdin, stderr))
    }

    /// Waits until the process has ended. Its lock stays free most of the time, so that a signal can end it.
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

/// Returns the arguments that describe the pipe's contents.
fn input(frames: &Frames) -> Vec<String> {
    let ([width, height], rate) = (frames.size, Rate::new(frames.per_second));
    let words = format!(
        "-nostdin -hide_banner -loglevel error -y -f rawvideo -pixel_format rgba -video_size {width}x{height} \
         -framerate {rate} -i pipe:0"
    );
    words.split(' ').map(str::to_owned).collect()
}

/// Returns the arguments that describe the output.
fn output(place: &Path, format: VideoFormat, notes: &Notes) -> Vec<OsString> {
    // Players guess the colours of a video without colour tags.
    let colors = "-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p -colorspace bt709 -color_primaries bt709 \
                  -color_trc iec61966-2-1 -color_range tv -map_metadata -1";
    // Matroska files would contain a random identifier.
    let encoder = match format {
        VideoFormat::Webm => {
            "-fflags +bitexact -f webm -c:v libvpx-vp9 -crf 20 -b:v 0 -row-mt 1 -deadline good -cpu-used 4"
        }
        VideoFormat::Mkv => "-fflags +bitexact -f matroska -c:v libx264 -crf 16",
        VideoFormat::Mp4 => "-f mp4 -movflags +faststart -c:v libx264 -crf 16",
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

fn not_started(format: VideoFormat, error: &io::Error) -> ImageError {
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

/// Returns ffmpeg's messages, truncated to the maximum.
fn listen(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    // An unreadable message is left out.
    let _ = stderr.by_ref().take(MAX_SAID).read_to_end(&mut bytes);
    // A full pipe would block ffmpeg.
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
