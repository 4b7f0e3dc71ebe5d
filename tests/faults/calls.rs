//! Makes every Vulkan call of a picture, a sequence, a crowd and a check fail once, in each way that Vulkan allows it. The
//! result is an error that names the call, or the same picture. Nothing hangs, nothing is left, and the layer reports
//! nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::common;
use sinew::look::{Look, Quality};
use sinew::model::Model;
use sinew::render::{Renderer, open_device};
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::skinning::posed::SkinnedPrimitive;
use sinew::vulkan::faults::{self, Answer, Fault};
use sinew::vulkan::{Device, DeviceChoice, InstanceOptions, Messages, Validation, VulkanError};

/// Work in a mode on a device that was opened for it.
type Work = fn(&Arc<Device>, &Arc<Model>, &Path, SkinningMode) -> Result<Done, VulkanError>;

/// The result of work.
struct Done {
    /// The number of calls before the mode mattered.
    before: usize,
    made: Made,
}

/// The output of work.
#[derive(Default, PartialEq)]
struct Made {
    pixels: Vec<u8>,
    vertices: Vec<SkinnedPrimitive<f32>>,
}

/// A picture with everything that a picture can have.
fn still(
    device: &Arc<Device>,
    model: &Arc<Model>,
    cache: &Path,
    mode: SkinningMode,
) -> Result<Done, VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let scene = Scene {
        size: [48, 32],
        mode,
        pose: PoseChoice::clip(0, 0.5),
        look: Look { quality: Quality::Full, ..Look::default() },
        ..Scene::new("test")
    };
    let mut gpu = renderer.upload_framed(Arc::clone(model), &scene)?;
    let before = faults::calls();
    renderer.draw(&mut gpu, &scene)?;
    let pixels = renderer.read()?.rgba;
    renderer.pass_times()?;
    Ok(Done { before, made: Made { pixels, ..Made::default() } })
}

/// Frames by every processor, and one that waits for all before it.
fn sequence(
    device: &Arc<Device>,
    model: &Arc<Model>,
    cache: &Path,
    mode: SkinningMode,
) -> Result<Done, VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let mut gpu = renderer.upload(Arc::clone(model))?;
    let before = faults::calls();
    let mut pixels = Vec::new();
    for (number, skin) in
        [Processor::Gpu, Processor::Cpu, Processor::Compute, Processor::Gpu].iter().enumerate()
    {
        let time = number as f64 * 0.1;
        let scene = Scene { skin: *skin, ..common::scene(mode, PoseChoice::clip(0, time), [16, 16]) };
        renderer.draw(&mut gpu, &scene)?;
        pixels.extend(renderer.read()?.rgba);
    }
    Ok(Done { before, made: Made { pixels, ..Made::default() } })
}

/// Crowds that the compute shader skins, the second larger than the room of the first, and then a single figure, for
/// which the room is freed.
fn crowd(
    device: &Arc<Device>,
    model: &Arc<Model>,
    cache: &Path,
    mode: SkinningMode,
) -> Result<Done, VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let mut gpu = renderer.upload(Arc::clone(model))?;
    let before = faults::calls();
    let mut pixels = Vec::new();
    for (count, skin) in
        [(Some(2), Processor::Compute), (Some(9), Processor::Compute), (None, Processor::Cpu)]
    {
        let crowd = count.map(|count| Crowd { count, seed: 3 });
        let scene = Scene { crowd, skin, ..common::scene(mode, PoseChoice::clip(0, 0.5), [16, 16]) };
        renderer.draw(&mut gpu, &scene)?;
        pixels.extend(renderer.read()?.rgba);
    }
    Ok(Done { before, made: Made { pixels, ..Made::default() } })
}

/// Numbers in place of pictures.
fn skinned(
    device: &Arc<Device>,
    model: &Arc<Model>,
    cache: &Path,
    mode: SkinningMode,
) -> Result<Done, VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let mut gpu = renderer.upload(Arc::clone(model))?;
    let before = faults::calls();
    let vertices = renderer.skin(&mut gpu, mode, &PoseChoice::clip(0, 0.5))?;
    Ok(Done { before, made: Made { vertices, ..Made::default() } })
}

/// The measurement that chooses the buffer of palettes; its times differ from run to run.
fn measured(
    device: &Arc<Device>,
    _: &Arc<Model>,
    cache: &Path,
    _: SkinningMode,
) -> Result<Done, VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    renderer.measure_palettes()?;
    Ok(Done { before: 0, made: Made::default() })
}

/// The plan of faults is one for all tests.
fn wait_for_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a device, works, and closes everything.
fn run(
    (work, mode): (Work, SkinningMode),
    model: &Arc<Model>,
    cache: &Path,
    messages: &Arc<Messages>,
) -> Result<Done, VulkanError> {
    let options = InstanceOptions {
        validation: Validation::Required,
        messages: Arc::clone(messages),
        ..InstanceOptions::default()
    };
    let device = open_device(&options, &DeviceChoice::Best)?;
    let result = work(&device, model, cache, mode);
    device.close();
    result
}

/// The results of the faults.
#[derive(Default)]
struct Tally {
    calls: usize,
    runs: usize,
    went_on: BTreeMap<&'static str, usize>,
    faulty: Vec<String>,
}

/// The result of one fault.
struct Found {
    messages: Arc<Messages>,
    result: Result<Done, VulkanError>,
    answer: Option<Answer>,
    took: Duration,
}

fn try_once(fault: Fault, work: (Work, SkinningMode), model: &Arc<Model>, cache: &Path) -> Found {
    let messages = Arc::<Messages>::default();
    let start = Instant::now();
    faults::begin(Some(fault));
    let result = run(work, model, cache, &messages);
    let (_, answer) = faults::end();
    Found { messages, result, answer, took: start.elapsed() }
}

impl Tally {
    /// Fails a call in each way; `expected` is what is made without a fault.
    fn fail(
        &mut self,
        call: usize,
        work: (Work, SkinningMode),
        (model, cache): (&Arc<Model>, &Path),
        expected: &Made,
    ) {
        self.calls += 1;
        for code in 0.. {
            let fault = Fault { call, code };
            let mut found = try_once(fault, work, model, cache);
            if found.took.as_secs() >= 5 {
                // A busy machine is slow once, a hang is one each time.
                found = try_once(fault, work, model, cache);
            }
            let Found { messages, result, answer, took } = found;
            let Some(answer) = answer else { break };
            let Answer { call: function, code: answered, codes } = answer;
            self.runs += 1;
            let said = [messages.errors(), messages.warnings()].concat();
            let what = format!("{}: {function} ({call}) answers {answered:?}", work.1);
            if !said.is_empty() {
                self.faulty.push(format!("{what}: {}", said[0]));
            }
            if took.as_secs() >= 5 {
                self.faulty.push(format!("{what}: took {took:?}"));
            }
            match result {
                Ok(done) if done.made != *expected => {
                    self.faulty.push(format!("{what}: something else is made"))
                }
                Ok(_) => *self.went_on.entry(function).or_default() += 1,
                Err(error) if !says(&error, &answer) => {
                    self.faulty.push(format!("{what}, and is said: {error}"))
                }
                Err(_) => {}
            }
            if code + 1 == codes {
                break;
            }
        }
    }
}

/// Returns true if an error names what failed: the call with its answer, the memory that it had to give, or the driver that
/// it had to find.
fn says(error: &VulkanError, failed: &Answer) -> bool {
    let names = match error {
        VulkanError::Call { call, result, .. } => {
            return *call == failed.call && *result == failed.code && error.to_string().contains(call);
        }
        VulkanError::Memory { .. } if ["vkAllocateMemory", "vkMapMemory"].contains(&failed.call) => "memory",
        VulkanError::NoDriver { result } if *result == failed.code => "driver",
        _ => return false,
    };
    error.to_string().contains(names)
}

/// Fails each call in each way and in each of the modes; those before the mode matters once.
fn every_call_fails(name: &str, work: Work, modes: &[SkinningMode]) {
    let _turn = wait_for_turn();
    let model = common::builtin("bend");
    let cache = tempfile::tempdir().unwrap();
    let mut tally = Tally::default();
    let start = Instant::now();
    for (number, &mode) in modes.iter().enumerate() {
        faults::begin(None);
        let messages = Arc::<Messages>::default();
        let Done { before, made } = run((work, mode), &model, cache.path(), &messages).unwrap();
        let (calls, _) = faults::end();
        for call in if number == 0 { 0 } else { before }..calls {
            tally.fail(call, (work, mode), (&model, cache.path()), &made);
        }
    }
    let Tally { calls, runs, went_on, faulty } = tally;
    println!("{name}: {calls} calls, {runs} faults in {:?}, went on after {went_on:?}", start.elapsed());
    assert!(runs > calls && calls > 100, "{runs} runs of {calls} calls");
    assert!(faulty.is_empty(), "{} of {runs}:\n{}", faulty.len(), faulty[..faulty.len().min(40)].join("\n"));
}

/// Names of objects serve only the readers of messages.
#[test]
fn objects_without_names_are_drawn_all_the_same() {
    let _turn = wait_for_turn();
    let model = common::builtin("bend");
    let cache = tempfile::tempdir().unwrap();
    let messages = Arc::<Messages>::default();
    faults::refuse_names(true);
    let result = run((still, SkinningMode::DualQuat), &model, cache.path(), &messages);
    faults::refuse_names(false);
    result.unwrap();
    assert_eq!([messages.errors(), messages.warnings()].concat(), Vec::<String>::new());
}

#[test]
fn every_call_of_a_picture_fails_once() {
    every_call_fails("still", still, &SkinningMode::ALL);
}

#[test]
fn every_call_of_a_sequence_fails_once() {
    every_call_fails("sequence", sequence, &SkinningMode::ALL);
}

#[test]
fn every_call_of_a_computed_crowd_fails_once() {
    // Modes with other shaders make the same calls as one with the same streams.
    let modes = [
        SkinningMode::Linear,
        SkinningMode::Blended,
        SkinningMode::CenterOfRotation,
        SkinningMode::DirectDeltaMush,
    ];
    every_call_fails("crowd", crowd, &modes);
}

#[test]
fn every_call_of_a_measurement_fails_once() {
    every_call_fails("measured", measured, &[SkinningMode::Linear]);
}

#[test]
fn every_call_of_skinned_vertices_fails_once() {
    every_call_fails("skinned", skinned, &SkinningMode::ALL);
}

/// A renderer that lives on after a fault, as that of `serve` and of a window does, draws the next pictures as if nothing
/// had been.
#[test]
fn pictures_after_a_failed_call_are_right() {
    pictures_after_a_failed_call(|time| {
        common::scene(SkinningMode::Linear, PoseChoice::clip(0, time), [16, 16])
    });
}

/// A computed crowd, which needs more room in the second picture and less in the third.
#[test]
fn crowds_after_a_failed_call_are_right() {
    pictures_after_a_failed_call(|time| {
        let crowd = Some(Crowd { count: if time == 0.5 { 9 } else { 2 }, seed: 3 });
        let scene = common::scene(SkinningMode::Linear, PoseChoice::clip(0, time), [16, 16]);
        Scene { crowd, skin: Processor::Compute, ..scene }
    });
}

fn pictures_after_a_failed_call(scene: impl Fn(f64) -> Scene) {
    const SOON: Duration = Duration::from_secs(5);
    let _turn = wait_for_turn();
    let device = common::open();
    let messages = Arc::clone(device.messages());
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let mut gpu = renderer.upload(common::builtin("bend")).unwrap();
    let times = [0.2, 0.5, 0.8];
    let expected = times.map(|time| renderer.picture(&mut gpu, &scene(time)).unwrap().rgba);
    let mut failed = BTreeMap::<&str, usize>::new();
    'calls: for call in 0.. {
        for code in 0.. {
            faults::begin(Some(Fault { call, code }));
            let first = renderer.picture(&mut gpu, &scene(times[0]));
            let timed = renderer.pass_times();
            let (_, answer) = faults::end();
            let Some(Answer { call: function, code: answered, codes }) = answer else { break 'calls };
            let what = format!("{function} ({call}) answers {answered:?}");
            match first {
                Ok(picture) => assert_eq!(picture.rgba, expected[0], "{what}"),
                Err(_) => *failed.entry(function).or_default() += 1,
            }
            if function != "vkGetQueryPoolResults" && function != "vkWaitForFences" {
                timed.unwrap_or_else(|error| panic!("{what}: {error}"));
            }
            for (time, expected) in times.into_iter().zip(&expected).skip(1) {
                let start = Instant::now();
                let picture = renderer.picture(&mut gpu, &scene(time));
                let took = start.elapsed();
                let picture = picture.unwrap_or_else(|error| panic!("{what}, then {error} after {took:?}"));
                assert_eq!(&picture.rgba, expected, "{what}");
                assert!(took < SOON, "{what}: the next picture took {took:?}");
            }
            if code + 1 == codes {
                break;
            }
        }
    }
    println!("went on with the same renderer after {failed:?}");
    // That of the picture and that which reads it, in three ways each.
    assert!(failed.get("vkQueueSubmit2") >= Some(&6), "{failed:?}");
    drop((renderer, gpu));
    device.close();
    assert_eq!([messages.errors(), messages.warnings()].concat(), Vec::<String>::new());
}
