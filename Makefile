# `make run` and `make test` are all you need; `make help` lists the rest. Both install what is missing
# (scripts/setup.sh, which says what it does), so nothing has to be done before them.

# A Rust that rustup has just installed is not yet on the PATH of the shell that is already open.
export PATH := $(PATH):$(HOME)/.cargo/bin

STARTED := $(shell date +%s)
PICTURE := target/sinew.png

# What `make run` shows when it is given no ARGS: the built-in character, in a window where there is a display.
DEFAULT_ARGS = $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname -s)),,--screenshot $(PICTURE))

# More models to test with may lie beside the checkout.
ifneq ($(wildcard ../shared/corpus),)
export SINEW_CORPUS ?= $(abspath ../shared/corpus)
endif

# Tests draw with the software driver even where there is a GPU, since the reference pictures were
# made with it. Both names of the variable: loaders before 1.3.207 know only the second.
# (`=` and not `:=`, because the driver may not be there before set-up has run.)
driver_env = $(if $(1),VK_DRIVER_FILES="$(1)" VK_ICD_FILENAMES="$(1)")
LAVAPIPE_ICD = $(shell ls /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json \
	/usr/local/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | paste -sd : -)
SWIFTSHADER_ICD = $(CURDIR)/.deps/swiftshader/vk_swiftshader_icd.json

# The tests switch the validation layer on themselves; its check across queue submissions is off in
# older versions unless this asks for it.
TEST_ENV = VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT

# CI's log has the line that failed; debug information would be written and linked once for each test.
ifneq ($(CI),)
export CARGO_PROFILE_DEV_DEBUG = 0
export CARGO_INCREMENTAL = 0
endif

# Homebrew's libraries are not where macOS looks for them. Set on each command and not exported:
# macOS removes this variable from the environment of /bin/sh.
ifeq ($(shell uname -s),Darwin)
RUN_ENV = DYLD_FALLBACK_LIBRARY_PATH="$$(brew --prefix)/lib:/usr/local/lib:/usr/lib"
TEST_ENV += $(RUN_ENV)
endif

.PHONY: help run test checks headless dist test-drivers fuzz soak pictures goldens clean setup setup-test lint unit doc run-fresh
.NOTPARALLEL: # the parts of `make test` come in their order; cargo itself uses all cores

help: ## this list (the default)
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile

run: setup ## build and run; ARGS="…" goes to the program, without it the built-in character is shown
	@mkdir -p $(dir $(PICTURE))
	$(RUN_ENV) cargo run --release --locked -- $(or $(ARGS),$(DEFAULT_ARGS))
	@$(if $(ARGS),,$(if $(findstring --screenshot,$(DEFAULT_ARGS)),echo "The picture is $(CURDIR)/$(PICTURE)"))
	@echo "make run: $$(($$(date +%s) - $(STARTED))) s"

test: ## all checks and all tests, on the software driver with validation
	@$(if $(CI),$(MAKE) --no-print-directory -j2 unit checks,$(MAKE) --no-print-directory lint unit doc headless)
	@scripts/outside.sh
	@echo "make test: $$(($$(date +%s) - $(STARTED))) s"

# In CI the checks run beside the tests, which wait a lot, in a build folder of their own: cargo locks a folder while it
# builds. Their output is printed if they fail.
checks: setup-test
	@mkdir -p target
	@CARGO_TARGET_DIR=target/checks $(MAKE) --no-print-directory lint doc headless >target/checks.txt 2>&1 \
		&& echo "lint, doc and headless: well" || { cat target/checks.txt; exit 1; }

# Its own folder: the program without a window must not take the place of the one that tests run.
headless: setup-test ## build the program without a window, and draw a picture with it
	@scripts/headless.sh

dist: setup ## pack program, licences, manual page and completions, and try the archive
	@scripts/dist.sh

test-drivers: unit ## the tests on lavapipe, then once more on SwiftShader
	@[ -e "$(SWIFTSHADER_ICD)" ] || scripts/setup.sh swiftshader
	$(call driver_env,$(SWIFTSHADER_ICD)) $(TEST_ENV) cargo test --locked --workspace

# Each target starts from seeds that are made here and from what earlier runs have found in fuzz/corpus; what
# breaks is kept in fuzz/artifacts. Without a sanitizer, because the loader has no unsafe code of its own and
# the one for addresses needs a nightly compiler; arithmetic that overflows and failed assertions are caught.
FUZZ_TARGETS = glb gltf_json pose show
FUZZ_LENGTH = $(if $(RUNS),-runs=$(RUNS),-max_total_time=$(or $(SECONDS),60))
fuzz: setup ## fuzz the loader, the sampler and what comes after for SECONDS=60 each, or RUNS=… executions each
	@cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
	cargo run --locked --quiet -p sinew-tools --bin fuzz_seeds -- fuzz/seeds
	for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/corpus/$$target && \
		cargo fuzz run --sanitizer none $$target fuzz/corpus/$$target fuzz/seeds/$$target -- $(FUZZ_LENGTH) \
			-dict=fuzz/gltf.dict -max_len=24000 -timeout=5 -rss_limit_mb=512 -print_final_stats=1 || exit 1; \
	done

soak: setup-test ## what takes hours: every model broken in 200,000 ways, then fuzzing for SECONDS=1200 a target
	SINEW_MUTATIONS=200000 cargo test --locked --release --test hostile -- --nocapture
	$(MAKE) --no-print-directory fuzz RUNS= SECONDS=$(or $(SECONDS),1200)

# The pictures of the documentation, by the program itself, on the driver that the tests use.
PICTURES = docs/pictures
DRAW = $(call driver_env,$(LAVAPIPE_ICD)) cargo run --release --locked --quiet --
pictures: setup ## draw the pictures of the documentation anew
	@mkdir -p $(PICTURES)
	$(DRAW) --mode dqs --clip walk --time 0.1 --size 1000x720 --camera=35,8 --screenshot $(PICTURES)/character.png
	for mode in rigid lbs dqs; do \
		$(DRAW) builtin:twist --mode $$mode --time 2 --size 320x400 --screenshot $(PICTURES)/twist-$$mode.png && \
		$(DRAW) builtin:bend --mode $$mode --time 1 --size 320x320 --camera=15,10 \
			--screenshot $(PICTURES)/bend-$$mode.png || exit 1; \
	done
	for view in weights joint:upper_arm.R skin-space; do \
		name=$${view%%:*} && \
		$(DRAW) --mode dqs --clip wave --time 1.2 --view $$view --size 300x400 --camera=20,5 \
			--screenshot $(PICTURES)/view-$$name.png || exit 1; \
	done
	$(DRAW) --mode dqs --clip wave --time 1.2 --view wireframe --size 300x400 --camera=20,5,1.1 --target head \
		--screenshot $(PICTURES)/view-wireframe.png
	$(DRAW) --mode dqs --clip walk --time 0.1 --size 1000x720 --camera=35,8 --overlay skeleton,names,grid,bounds \
		--screenshot $(PICTURES)/overlays.png
	$(DRAW) --clip wave --time 1.2 --mode lbs --wipe dqs@0.56 --size 1100x760 --panel --choose forearm.R --vertex node0:0:18745 \
		--screenshot $(PICTURES)/window.png
	$(DRAW) builtin:twist --time 2 --mode lbs --split rigid,dqs --size 360x320 --screenshot $(PICTURES)/split.png
	$(DRAW) builtin:bend --time 1 --mode lbs --wipe dqs@0.5 --size 360x320 --camera=front --screenshot $(PICTURES)/wipe.png
	$(DRAW) --clip wave --time 1.2 --onion 2@0.18 --size 360x320 --camera=20,5 --screenshot $(PICTURES)/onion.png

# The pictures that the tests compare with, as `sinew golden` takes them; only what is no longer the same changes.
goldens: setup ## take the pictures that the tests compare with as they are now
	$(call driver_env,$(LAVAPIPE_ICD)) cargo run --release --locked --quiet -- golden tests/golden --update

clean: ## remove what was built; what set-up put into .deps/ stays
	cargo clean

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh test

lint: setup-test
	cargo fmt --all --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --locked --workspace --all-targets --features sinew-model/gltf -- -D warnings
	cargo clippy --locked --no-default-features --all-targets -- -D warnings

unit: setup-test
	$(call driver_env,$(LAVAPIPE_ICD)) $(TEST_ENV) cargo test --locked --workspace --features sinew-model/gltf

doc: setup-test
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace --features sinew-model/gltf

# What tells a fresh clone from this checkout is that nothing is built in it: a build folder of its own.
run-fresh: ## time `make run` from nothing built
	@rm -rf target/fresh && mkdir -p target
	@CARGO_TARGET_DIR=target/fresh $(MAKE) --no-print-directory run ARGS="--screenshot $(PICTURE)"
	@echo "make run: $$(($$(date +%s) - $(STARTED))) s from nothing built, on $$(getconf _NPROCESSORS_ONLN) cores"
	@rm -rf target/fresh
