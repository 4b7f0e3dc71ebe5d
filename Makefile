# `make run` and `make test` are all you need; `make help` lists the rest. Both first install what is missing
# (scripts/setup.sh, which announces each step).

# rustup's folder is not yet on the PATH of a shell that was open during its installation.
export PATH := $(PATH):$(HOME)/.cargo/bin

STARTED := $(shell date +%s)
PICTURE := target/sinew.png

# Without ARGS, `make run` shows the built-in character: in a window if there is a display, otherwise as a picture.
DEFAULT_ARGS = $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname -s)),,--screenshot $(PICTURE))

# More test models may lie next to the checkout.
ifneq ($(wildcard ../shared/corpus),)
export SINEW_CORPUS ?= $(abspath ../shared/corpus)
endif

# Tests draw with the software driver even if there is a GPU, because the goldens were made with it. Both names of the
# variable are set: loaders before 1.3.207 know only the second. (`=` instead of `:=`: setup may install the driver
# first.)
driver_env = $(if $(1),VK_DRIVER_FILES="$(1)" VK_ICD_FILENAMES="$(1)")
LAVAPIPE_ICD = $(shell ls /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json \
	/usr/local/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | paste -sd : -)
SWIFTSHADER_ICD = $(CURDIR)/.deps/swiftshader/vk_swiftshader_icd.json
MESA_ICD = $(CURDIR)/.deps/mesa/lvp_icd.json
# A newer validation layer than the system's, from the same package.
NEWER_LAYER = $(CURDIR)/.deps/layer

# Shells start their background jobs with Ctrl+C ignored, and everything these start in turn; the tests send it.
HEARS := $(shell env --default-signal true 2>/dev/null && echo env --default-signal)

# The tests enable the validation layer themselves; older versions check across queue submissions only if this asks for
# it. Cargo has no part in make's jobs, of which MAKEFLAGS would tell it.
TEST_ENV = $(HEARS) MAKEFLAGS= VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT
# Always the same, so that nothing is built twice. `make run` leaves out USD and Parquet, whose libraries take long to compile.
FEATURES = sinew-model/gltf,sinew-model/fbx,usd,parquet
CARGO_TEST = $(TEST_ENV) cargo test --locked --workspace --features $(FEATURES)

# CI's log shows the line that failed; debug information would be written and linked again for each test.
ifneq ($(CI),)
export CARGO_PROFILE_DEV_DEBUG = 0
export CARGO_INCREMENTAL = 0
endif

# macOS does not look for Homebrew's libraries where they are. Set on each command instead of exported: macOS removes
# this variable from the environment of /bin/sh.
ifeq ($(shell uname -s),Darwin)
RUN_ENV = DYLD_FALLBACK_LIBRARY_PATH="$$(brew --prefix)/lib:/usr/local/lib:/usr/lib"
TEST_ENV += $(RUN_ENV)
endif

# Parts of `make soak`, each of which can run alone: `make soak-faults`.
SOAK = program faults proofs hostile python

.PHONY: help run test checks headless outside wheel dist reproducible test-drivers fuzz sanitize miri soak $(SOAK:%=soak-%) pictures goldens clean setup setup-test peers conformance-table lint built tested windows windows-then-outside unit doc run-fresh

help: ## print this list (the default)
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile

run: setup ## build and run; ARGS="…" goes to the program; without it, show the built-in character
	@mkdir -p $(dir $(PICTURE))
	$(RUN_ENV) cargo run --release --locked -- $(or $(ARGS),$(DEFAULT_ARGS))
	@$(if $(ARGS),,$(if $(findstring --screenshot,$(DEFAULT_ARGS)),echo "The picture is $(CURDIR)/$(PICTURE)"))
	@echo "make run: $$(($$(date +%s) - $(STARTED))) s"

test: ## run all checks and tests, on the software driver with validation
	@$(MAKE) --no-print-directory -j2 checks tested
	@echo "make test: $$(($$(date +%s) - $(STARTED))) s"

tested: setup-test
	@MAKEFLAGS= $(MAKE) --no-print-directory built
	@MAKEFLAGS= $(MAKE) --no-print-directory -j2 --output-sync=target windows-then-outside unit
	@MAKEFLAGS= $(MAKE) --no-print-directory headless

# The checks run next to the tests, which go first. They have their own build folder, because cargo locks a folder while it
# builds, and print their output if they fail.
checks: setup-test
	@mkdir -p target
	@CARGO_TARGET_DIR=target/checks MAKEFLAGS= nice $(MAKE) --no-print-directory lint doc >target/checks.txt 2>&1 \
		&& echo "lint and doc: well" || { cat target/checks.txt; exit 1; }
	@scripts/workflows.sh

# Both share what the tests have built.
headless: setup-test ## build the program without a window and draw a picture with it
	@scripts/headless.sh

outside: setup-test ## build projects that depend on sinew; FRESH=1 builds the libraries from nothing and times it
	@scripts/outside.sh $(if $(FRESH),fresh)

wheel: setup ## build the Python package into target/wheels, and test it with each Python that is here
	@scripts/wheel.sh

dist: setup ## pack program, library for C, licences, manual page and completions, and test the archive
	@scripts/dist.sh

reproducible: setup ## build wheel and archives in two clones, and compare their bytes
	@scripts/reproducible.sh

test-drivers: setup-test ## run the tests on lavapipe, SwiftShader and a newer Mesa, and print a table
	@[ -e "$(SWIFTSHADER_ICD)" ] && [ -e "$(MESA_ICD)" ] || scripts/setup.sh drivers
	@$(CARGO_TEST) --tests --no-run
	@CARGO_TEST="$(CARGO_TEST)" scripts/test-drivers.sh "$(LAVAPIPE_ICD)" "$(SWIFTSHADER_ICD)" $$(ls $(MESA_ICD) 2>/dev/null)

# No sanitizer, which would make it three times as slow (`make sanitize` has it): overflowing arithmetic and failed
# assertions are caught. Where there is clang, it tells the fuzzer which parts of the C code an FBX file reaches.
FUZZ_TARGETS ?= arrays c_arrays config draco fbx glb gltf_json golden_list meshopt picture pose pose_file show sparse usd vertices
FUZZ_C = $(if $(shell command -v clang),CC=clang CFLAGS=-fsanitize=fuzzer-no-link)
fuzz: setup ## fuzz what reads bytes or text: SECONDS=60 or RUNS=… a target, or FUZZ_TARGETS="…" alone
	$(FUZZ_C) scripts/fuzz.sh none $(or $(RUNS),$(or $(SECONDS),60)s) $(FUZZ_TARGETS)

# Both say in one line what they skip where the toolchain lacks it.
sanitize: setup ## run programs in C under valgrind; test the libraries, and fuzz for SECONDS=180 a target, with the address sanitizer
	@scripts/sanitize.sh c
	@scripts/sanitize.sh address $(SECONDS)

miri: ## run tests of the libraries in Miri, which needs a nightly toolchain
	@scripts/sanitize.sh miri

soak: ## test for hours: limits, validation, leaks, failing calls, broken models, memory errors, SECONDS=600 of fuzzing a target
	@for part in $(SOAK); do $(MAKE) --no-print-directory soak-$$part || exit 1; done
	@$(MAKE) --no-print-directory sanitize SECONDS=
	@$(MAKE) --no-print-directory miri
	@$(MAKE) --no-print-directory fuzz RUNS= SECONDS=$(or $(SECONDS),600)
	@echo "make soak: $$(($$(date +%s) - $(STARTED))) s"

SOAK_ENV = $(call driver_env,$(LAVAPIPE_ICD)) $(TEST_ENV)
soak-program: setup-test
	@[ -e "$(NEWER_LAYER)" ] || scripts/setup.sh drivers
	SINEW_NEWER_LAYER="$(NEWER_LAYER)" $(SOAK_ENV) cargo test --locked --release --features usd --test soak -- --nocapture --test-threads 1

soak-faults: setup-test
	$(SOAK_ENV) cargo test --locked --features faults --test faults -- --nocapture --test-threads 1

soak-proofs: setup-test
	SINEW_SAMPLES=400 $(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --test drawing -- proof
	SINEW_SAMPLES=400 $(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --test corpus -- proven

soak-hostile: setup-test
	SINEW_MUTATIONS=200000 $(SOAK_ENV) cargo test --locked --release --features usd --test hostile -- --nocapture
	SINEW_MUTATIONS=20000 $(SOAK_ENV) cargo test --locked --release -p sinew-model --features usd --test usd -- --nocapture hostile bombs

# In an environment of its own, as users have it.
soak-python: wheel
	@python3 -m venv --clear target/soak-python
	@target/soak-python/bin/pip install --quiet --disable-pip-version-check --only-binary :all: target/wheels/sinew-*.whl
	cd crates/python/tests && SINEW_HOSTILE=100000 ../../../target/soak-python/bin/python -m unittest -v test_hostile

# The documentation's pictures, drawn by the program itself on the tests' driver.
PICTURES = docs/pictures
DRAW = SINEW_CONFIG= $(call driver_env,$(LAVAPIPE_ICD)) cargo run --release --locked --quiet --
# Those of docs/concepts/symptoms.md show one pose: alone, or right and wrong beside each other.
SYMPTOM = $(PICTURES)/symptom
WALK = --clip walk --time 0.4 --size 240x320
WALKS = --clip walk --time 0.4 --size 400x300
pictures: setup ## redraw the documentation's pictures
	@mkdir -p $(PICTURES)
	$(DRAW) --mode dqs --clip walk --time 0.1 --size 1000x720 --camera=35,8 --screenshot $(PICTURES)/character.png
	for mode in rigid lbs dqs "blend --blend 0.5" cor dqs-blender dqs-rigid ddm; do \
		name=$${mode%% *} && \
		$(DRAW) builtin:twist --mode $$mode --time 2 --size 320x400 --screenshot $(PICTURES)/twist-$$name.png && \
		$(DRAW) builtin:bend --mode $$mode --time 1 --size 320x320 --camera=15,10 \
			--screenshot $(PICTURES)/bend-$$name.png || exit 1; \
	done
	for mode in lbs dqs dqs-blender dqs-rigid; do \
		$(DRAW) builtin:bend --mode $$mode --time 1 --joint-scale upper=1.6,1,1.6 --size 320x320 --camera=15,10 \
			--screenshot $(PICTURES)/scaled-$$mode.png || exit 1; \
	done
	cargo run --release --locked --quiet -p sinew-tools --bin spoil_weights -- character target/spoilt > /dev/null
	for weights in rigid noisy; do \
		$(DRAW) target/spoilt/$$weights.glb --mode lbs --split dqs,cor,ddm --clip wave --time 1.2 --size 880x300 \
			--camera=20,5,1.1 --target upper_arm.R --screenshot $(PICTURES)/spoilt-$$weights.png || exit 1; \
	done
	$(DRAW) --mode lbs --split dqs,cor,ddm --clip wave --time 1.2 --size 880x280 --camera=20,5,0.9 --target upper_arm.R \
		--screenshot $(PICTURES)/shoulder.png
	$(DRAW) --mode lbs --split dqs,cor,ddm --pose rest --joint thigh.R=90,0,0 --size 880x280 --camera=-60,5,1.1 \
		--target thigh.R --screenshot $(PICTURES)/hip.png
	for view in weights joint:upper_arm.R skin-space; do \
		name=$${view%%:*} && \
		$(DRAW) --mode dqs --clip wave --time 1.2 --view $$view --size 300x400 --camera=20,5 \
			--screenshot $(PICTURES)/view-$$name.png || exit 1; \
	done
	$(DRAW) --mode cor --clip walk --time 0.1 --view centers --size 300x400 --camera=20,5 \
		--screenshot $(PICTURES)/view-centers.png
	$(DRAW) builtin:bend --mode blend --blend joint:upper=0.2 --time 1 --view blend-share --size 360x320 --camera=15,10 \
		--screenshot $(PICTURES)/view-blend-share.png
	$(DRAW) --mode dqs --clip wave --time 1.2 --view wireframe --size 300x400 --camera=20,5,1.1 --target head \
		--screenshot $(PICTURES)/view-wireframe.png
	$(DRAW) --mode dqs --clip walk --time 0.1 --size 1000x720 --camera=35,8 --overlay skeleton,names,grid,bounds \
		--screenshot $(PICTURES)/overlays.png
	$(DRAW) --clip wave --time 1.2 --mode lbs --wipe dqs@0.56 --size 1100x860 --panel --choose forearm.R --vertex node0:0:18745 \
		--screenshot $(PICTURES)/window.png
	$(DRAW) --clip wave --time 1.2 --mode rigid --size 1250x300 --split pose=bind --split view=skin-space:forearm.R \
		--split only-joint=forearm.R --split mode=rigid --split mode=lbs --screenshot $(PICTURES)/steps.png
	$(DRAW) sweep builtin:twist --joint upper -o $(PICTURES)/sweep.png > /dev/null
	$(DRAW) builtin:twist --time 2 --mode lbs --split rigid,dqs --size 360x320 --screenshot $(PICTURES)/split.png
	$(DRAW) fit builtin:twist --helpers 8 --screenshot $(PICTURES)/fit.png -o target/fitted.glb > /dev/null
	for view in shaded normals; do \
		$(DRAW) builtin:bend --time 1.3 --view $$view --camera=60,-5,1.6 --target=0.15,1,0 --size 1120x280 \
			--split 'mode=lbs normals=moved' --split 'mode=lbs normals=recomputed' \
			--split 'mode=dqs normals=moved' --split 'mode=dqs normals=recomputed' \
			--screenshot $(PICTURES)/recomputed-$$view.png || exit 1; \
	done
	$(DRAW) builtin:bend --time 1 --mode lbs --wipe dqs@0.5 --size 360x320 --camera=front --screenshot $(PICTURES)/wipe.png
	$(DRAW) --clip wave --time 1.2 --onion 2@0.18 --size 360x320 --camera=20,5 --screenshot $(PICTURES)/onion.png
	$(DRAW) $(WALK) --camera=35,8 --screenshot $(SYMPTOM)-right.png
	$(DRAW) --pose bind --size 240x320 --camera=35,8 --screenshot $(SYMPTOM)-bind.png
	$(DRAW) --pose rest --size 240x320 --camera=20,8 --screenshot $(SYMPTOM)-rest.png
	$(DRAW) $(WALK) --view skin-space --camera=35,8 --screenshot $(SYMPTOM)-skin-space.png
	for fault in short-palette wrong-node-order truncated-joints; do \
		$(DRAW) $(WALK) --inject $$fault --camera=35,8 --screenshot $(SYMPTOM)-$$fault.png || exit 1; \
	done
	$(DRAW) $(WALK) --inject unsorted-parents --overlay bounds --camera=35,8,5 --target=0,0.7,0 \
		--screenshot $(SYMPTOM)-unsorted-parents.png
	$(DRAW) $(WALK) --inject quaternion-wxyz --overlay bounds --camera=35,8,6.5 --target=0,0.1,0 \
		--screenshot $(SYMPTOM)-quaternion-wxyz.png
	$(DRAW) $(WALK) --inject skip-inverse-bind --camera=35,8,9 --target=0.2,1.5,0 \
		--screenshot $(SYMPTOM)-skip-inverse-bind.png
	$(DRAW) $(WALK) --inject transposed --camera=35,8,5.2 --target=0,0.8,0 --screenshot $(SYMPTOM)-transposed.png
	$(DRAW) $(WALK) --inject swapped-order --camera=35,8,6.5 --target=0.1,0.75,0 \
		--screenshot $(SYMPTOM)-swapped-order.png
	$(DRAW) $(WALK) --inject wrong-pad --camera=35,8,13 --target=0.5,0,0 --screenshot $(SYMPTOM)-wrong-pad.png
	$(DRAW) $(WALKS) --joint character=-90,0,0 --camera=35,14,5.5 --target=0,0.6,-0.6 \
		--split mode=lbs --split inject=double-mesh-node --screenshot $(SYMPTOM)-double-mesh-node.png
	$(DRAW) $(WALKS) --overlay skeleton --camera=70,5 \
		--split mode=lbs --split inject=stale-palette --screenshot $(SYMPTOM)-stale-palette.png
	$(DRAW) $(WALKS) --mode dqs --joint hips=0,-90,0 --camera=35,8,2.4 --target=0,1,0 \
		--split mode=dqs --split inject=no-antipodal --screenshot $(SYMPTOM)-no-antipodal.png
	for fault in matrix-lerp euler-angles; do \
		$(DRAW) builtin:robot --clip salute --time 0.5 --size 400x300 --camera=35,8 \
			--split mode=lbs --split inject=$$fault --screenshot $(SYMPTOM)-$$fault.png || exit 1; \
	done
	$(DRAW) builtin:bend --time 1 --joint-scale upper=2.2,1,0.5 --size 400x300 --camera=15,10 \
		--split mode=lbs --split inject=plain-normals --screenshot $(SYMPTOM)-plain-normals.png
	$(DRAW) builtin:twist --mode dqs --time 2 --size 400x300 \
		--split mode=dqs --split inject=no-normalise --screenshot $(SYMPTOM)-no-normalise.png
	sed -n '/^#usda/,/^}/p' docs/concepts/symptoms.md > target/flag.usda
	cd target && $(DRAW:--=--features usd --) flag.usda --turn hoist=0,0,-40 --turn middle=0,-50,0 --turn fly=0,60,0 --size 400x300 \
		--camera=30,8,8.5 --target=0.1,1.2,0 --split mode=lbs --split inject=no-joint-as-zero --screenshot ../$(SYMPTOM)-no-joint-as-zero.png

# `sinew golden --update` replaces only goldens that fail.
goldens: setup ## accept the current pictures as goldens
	$(call driver_env,$(LAVAPIPE_ICD)) cargo run --release --locked --quiet -- golden tests/golden --update

clean: ## remove build outputs; .deps/ from setup stays
	cargo clean

setup:
	@scripts/setup.sh

peers: ## install other programs (gltf-transform, Blender, libigl, three-vrm) for tests against them; each is optional
	@scripts/peers.sh
	@scripts/judges.sh
	@scripts/vrm.sh

# Runs take minutes; make conformance-table PROGRAMS="vtk ogre" repeats some, and keeps the results of the others.
PROGRAMS = $(shell python3 conformance/peers/run.py --list)
conformance-table: peers ## run other programs over the conformance suite, and write docs/reference/conformance.md
	@for program in $(PROGRAMS); do \
	    python3 conformance/peers/run.py $$program conformance target/conformance/$$program; \
	done
	@cargo build --release --locked
	@python3 conformance/peers/table.py target/release/sinew target/conformance/*

setup-test:
	@scripts/setup.sh test

# deny.toml looks at every system; a build fetches only what its own needs.
lint: setup-test
	cargo fmt --all --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo fetch --locked --quiet
	PATH="$(CURDIR)/.deps/cargo-deny/bin:$$PATH" cargo-deny --frozen --workspace check -D warnings licenses sources bans
	cargo clippy --locked --workspace --all-targets --features $(FEATURES) -- -D warnings
	cargo clippy --locked --workspace --test soak --features $(FEATURES) -- -D warnings
	cargo clippy --locked --features faults --lib --bins --test faults -- -D warnings

# Without the examples, which clippy compiles.
built: setup-test
	$(CARGO_TEST) --tests --no-run

# Tests of windows wait most of the time, and the others run next to them. Those of whole programs wait, too: one more test
# runs than there are cores.
windows unit test-drivers: export RUST_TEST_THREADS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
windows: setup-test
	$(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --test viewer

# The other tests take longer than those of windows.
windows-then-outside: windows
	$(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --test wheel -- --show-output
	@MAKEFLAGS= scripts/outside.sh

OTHER_TESTS = $(filter-out faults soak viewer wheel,$(sort $(notdir $(basename $(patsubst %/main.rs,%.rs,$(wildcard \
	$(foreach folder,. crates/* tools,$(folder)/tests/*.rs $(folder)/tests/*/main.rs)))))))
unit: setup-test
	$(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --lib --bins $(addprefix --test ,$(OTHER_TESTS))
	$(call driver_env,$(LAVAPIPE_ICD)) $(CARGO_TEST) --doc

doc: setup-test
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace --features $(FEATURES)

# An empty build folder makes this checkout behave like a fresh clone.
run-fresh: ## time `make run` with nothing built
	@rm -rf target/fresh && mkdir -p target
	@CARGO_TARGET_DIR=target/fresh $(MAKE) --no-print-directory run ARGS="--screenshot $(PICTURE)"
	@echo "make run: $$(($$(date +%s) - $(STARTED))) s from nothing built, on $$(getconf _NPROCESSORS_ONLN) cores"
	@rm -rf target/fresh
