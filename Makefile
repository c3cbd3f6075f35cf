# Heddle: `make demo` and `make check` do everything on a fresh Debian machine.
#
#   make            the tool: $(BUILD)/heddle
#   make demo       build it and let it find a real bug in an example
#   make check      build it and run all tests; the last line is "N passed, N failed"
#   make bench      compare with native code and with plain solving, in ratios
#   make profile    count anew what the hot code is laid out by (tools/profile.text)
#   make soak       the property tests for much longer, and the parsers with 10,000,000 inputs each
#   make fuzz       the parsers under libFuzzer for a minute each
#   make format     clang-format all sources
#   make install    into $(DESTDIR)$(PREFIX)
#
# Variants: SAN=address,undefined builds into a directory of its own; DEBUG=1 turns costly
# checks on; HOSTILE=1 makes rare things common (base/hostile.h).  PARTS=DIR takes the compiler and
# what it links into modules from the build in DIR: modules are then compiled once for both.
PREFIX ?= /usr/local
SAN    ?=
DEBUG  ?=
HOSTILE ?=
PARTS  ?=
variant := $(subst $(eval) ,-,$(strip $(if $(SAN),san) $(if $(DEBUG),debug) $(if $(HOSTILE),hostile)))
BUILD  ?= build$(if $(variant),/$(variant))
MAKEFLAGS += --jobs=$(shell nproc) --output-sync=target
CC      = gcc
CLANG   = clang-19
LLVM    = llvm-config-19
OPT     = opt-19
NM      = llvm-nm-19
PROFDATA = llvm-profdata-19

version := 0.1.0
# Variants are compiled more often than they run: with -O2 -g the sanitized build takes three times as long.  Lines are enough
# to know where something went wrong; who looks at Heddle's own variables in a debugger builds with DEBUG=1.
CFLAGS  = -std=gnu17 -D_GNU_SOURCE $(if $(SAN)$(HOSTILE),-O1,-O2) $(if $(DEBUG),-g,-g1) -fno-omit-frame-pointer -Wall -Wextra -Werror -Isrc -Iinclude \
          -DHD_VERSION='"$(version)"' -MMD -MP $(if $(SAN),-fsanitize=$(SAN) -Wno-format-truncation) $(if $(DEBUG),-DHD_DEBUG) $(if $(HOSTILE),-DHD_HOSTILE_BUILD)
LDFLAGS = $(if $(SAN),-fsanitize=$(SAN))
LDLIBS  = -Wl,--no-as-needed -lm -Wl,--as-needed -lcadical -lstdc++ -lz3 -lsqlite3 -ljansson -lyaml -lgmp -ldw -lelf -lnettle -lseccomp -ldl -lpthread
# The tool has its libraries inside, where there are archives of them; variants and tests have not.  To load them, and to find their
# functions anew in each process of a run, took a quarter of the time in which it begins and ends.
archive = $(if $(wildcard $(shell $(CC) -print-file-name=lib$1.a)),-l:lib$1.a,-l$1)
inside  = $(foreach l,sqlite3 jansson yaml gmp nettle seccomp $(patsubst -l%,%,$(shell pkg-config --static --libs-only-l libdw || echo -ldw -lelf)),$(call archive,$l))
tool_libraries = $(if $(variant),$(LDLIBS),-Wl$(comma)--no-as-needed -lm -Wl$(comma)--as-needed -lcadical -lstdc++ -lz3 $(inside) -ldl -lpthread -Wl$(comma)--exclude-libs$(comma)ALL)

folders  := base confine mapping symbolic solve program world $(addprefix machine/,action core memory values tasks sync channels libc nodes run) $(addprefix explore/,inputs strategies events orders reductions system) explore partition record simulate tell fleet fleet/cluster fleet/observers cover report serve cli compile scenario
sources  := $(filter-out src/machine/values/inline.c,$(foreach f,$(folders),$(wildcard src/$f/*.c)))
objects  := $(sources:src/%.c=$(BUILD)/%.o)
library  := $(filter-out $(BUILD)/cli/main.o,$(objects))
compiler := $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/compile/compiler/*.c))
models   := $(patsubst src/models/%.c,$(BUILD)/models/%.bc,$(wildcard src/models/*.c))
# Tests, and what they share: tests/tool, property/model and property/random are no tests by themselves.
units    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
tests    := $(units) $(patsubst %.c,$(BUILD)/%,$(wildcard tests/property/*.c tests/*.c))
# Those of the search that are built hostile too.
searchers := $(addprefix $(BUILD)/tests/,$(addprefix unit/test_,weave reductions wakeup events explore) $(addprefix property/property_,weave messages split))
helpers  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/tool/*.c tests/property/model/*.c tests/property/random/*.c))

all: $(BUILD)/heddle $(BUILD)/heddle-compile $(BUILD)/inline.bc $(models) $(BUILD)/models/names $(BUILD)/include

build/.packages: tools/packages
	tools/packages
	@mkdir -p build && touch $@
$(objects) $(compiler) $(models) $(BUILD)/inline.bc $(helpers) $(tests:=.o): | build/.packages

# What gdb reads of a running machine (cli/gdb.py) needs its types.
$(BUILD)/machine/run/run.o $(BUILD)/machine/action/action.o: CFLAGS += -g2
$(BUILD)/heddle: $(objects)
	@echo "  $@"
	@$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(tool_libraries)
$(BUILD)/libheddle.a: $(library)
	@rm -f $@
	@ar rcs $@ $^
# LLVM's archives make a program that needs no relocating: with its shared library a small program takes 13 ms more to
# compile.  Under the sanitizers the shared one does, because that compiler is linked more often than it runs.
llvm_archives = -no-pie -Wl,--gc-sections $(shell $(LLVM) --link-static --libs core bitreader irreader linker passes x86) -lstdc++ -lm -l:libz.so.1 -l:libzstd.so.1
# clang is linked in where Debian's archives of it are (tools/packages; own_clang.h), but not under the sanitizers.  It is asked for
# when this is linked: tools/packages may install it.
has_clang = $(if $(SAN),,$(wildcard $(shell $(LLVM) --libdir)/libclangCodeGen.a))
clang_archives = -Wl,--start-group $(addprefix -lclang,Frontend CodeGen Driver Serialization Parse Sema Analysis Edit AST ASTMatchers Lex Basic Support APINotes) -Wl,--end-group \
    $(filter-out -lPolly%,$(shell $(LLVM) --link-static --libs core bitreader bitwriter irreader linker passes x86 option coverage lto frontendopenmp frontendhlsl frontendoffloading frontenddriver windowsdriver))
$(BUILD)/compile/compiler/own_clang.o: src/compile/compiler/own_clang.cc | build/.packages
	@mkdir -p $(@D)
	@echo "  $@"
	@$(if $(has_clang),g++ -std=c++17 -O0 -fno-rtti -fno-exceptions -Wall -Wextra -Wno-unused-parameter -Isrc -isystem $(llvm_headers) -DHD_CLANG='"$(realpath $(shell $(LLVM) --bindir)/clang)"' -MMD -MP -c -o $@ $<,\
		$(CC) -c -o $@ -x c /dev/null)
# A variant may take the compiler from another build; its own has another name then (tests/run tries it).
own_compiler := $(BUILD)/heddle-compile$(if $(PARTS),-own)
$(own_compiler): $(compiler) $(BUILD)/compile/compiler/own_clang.o $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/confine/*.c)) $(BUILD)/compile/flag.o $(BUILD)/compile/model_files.o $(BUILD)/program/module_fingerprint.o $(BUILD)/base/panic.o $(BUILD)/base/err.o $(BUILD)/base/vec.o $(BUILD)/base/text.o $(BUILD)/base/map.o
	@echo "  $@"
	@$(CC) $(LDFLAGS) $(gold) -o $@ $^ -L$(shell $(LLVM) --libdir) $(if $(has_clang),$(clang_archives)) $(if $(SAN),-lLLVM-19,$(llvm_archives)) -ldw -lelf -ljansson -lseccomp
ifdef PARTS
$(BUILD)/heddle-compile $(BUILD)/inline.bc $(models) $(BUILD)/models/names: $(BUILD)/%: $(PARTS)/%
	@mkdir -p $(@D)
	@ln -sf $(abspath $<) $@
else
# What is linked into every module: the inlined fast paths, made simpler once here instead of wherever they are inlined,
# and the models of libc.
$(BUILD)/inline.bc: src/machine/values/inline.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CLANG) -std=gnu17 -O1 -Xclang -disable-llvm-passes -mavx2 -Isrc -MMD -MP -MF $@.d -MT $@ -c -emit-llvm -o $@.plain $<
	@$(OPT) -passes='function(lower-expect,sroa,early-cse,instcombine<no-verify-fixpoint>)' -o $@ $@.plain
$(BUILD)/models/%.bc: src/models/%.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CLANG) -std=gnu17 -O1 -Xclang -disable-llvm-passes -g '-ffile-prefix-map=src/models/=$(mark)' -fdebug-compilation-dir=. -fno-builtin -D__NO_INLINE__ -Iinclude -Isrc -MMD -MP -c -emit-llvm -o $@ $<
# Which functions each of them has, "MODEL FUNCTION": the compiler reads those only that a program needs.
$(BUILD)/models/names: $(models)
	@for model in $^; do $(NM) -P --defined-only --extern-only $$model | awk -v model=$$(basename $$model .bc) '$$2 ~ /[TW]/ {print model, $$1}' || exit 1; done >$@
endif
# Asked once, but not before tools/packages may have installed who answers.
llvm_headers = $(eval llvm_headers := $(shell $(LLVM) --includedir))$(llvm_headers)
$(compiler): CFLAGS += -I$(llvm_headers)
# What runs for every event or decision of every execution, and for every case of a question.
hot := $(addprefix explore/events/,events races waiting wait_lock wait_counter wait_loop) $(addprefix explore/orders/,reduce reduce_sequence held_threads sequence shared_actions wakeup weave backtrack) explore/reductions/dpor explore/reductions/optimal \
       machine/tasks/visible machine/tasks/threads machine/sync/sync machine/sync/mutex \
       machine/sync/condition machine/memory/caller base/map solve/columns \
       $(addprefix machine/values/,inputs slow_memory slow_control slow_arithmetic) $(addprefix explore/inputs/,walk tree frontier plan) $(addprefix symbolic/,eval path binary graph support) \
       $(addprefix solve/,chain domain slice contradiction task)
$(hot:%=$(BUILD)/%.o): CFLAGS += $(if $(SAN)$(HOSTILE),,-O3)
$(addsuffix /explore/events/events.o,$(BUILD) $(BUILD)/counting): CFLAGS += -mavx2
# What runs rarely is not worth optimising in variants: under the sanitizers -O1 takes twice as long to compile as -O0.
objects_of = $(foreach f,$1,$(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/$f/*.c)))
rare := $(filter-out symbolic solve explore/% explore mapping partition simulate base machine/core machine/memory machine/values machine/tasks machine/run machine/action,$(folders)) compile/compiler
$(call objects_of,$(rare)): CFLAGS += $(if $(SAN)$(HOSTILE),-O0)
# What runs a little there and is large: it takes longer to compile than it runs.
$(call objects_of,symbolic solve explore/inputs explore/strategies explore/system): CFLAGS += $(if $(SAN),-O0)
# What runs once per command, or when a page is made, is the same in every build.
$(call objects_of,cli report serve scenario cover): CFLAGS += $(if $(SAN)$(HOSTILE),,-O1)
# What runs in every execution of a search is laid out by how often its parts ran, which clang can do from a text that is
# kept with the sources (tools/profile).  Functions that have changed since, or that never ran, are compiled as without it.
# Variants do without.  What programs see of floating point is as written: nothing is computed that the source does not compute there,
# and valgrind reads the older kind of debugging information only.
profiled_folders := base symbolic solve $(addprefix machine/,action core memory values tasks sync run channels nodes) \
                    explore $(addprefix explore/,inputs strategies events orders reductions system)
profiled := $(if $(variant),,$(filter $(objects),$(call objects_of,$(profiled_folders))))
counting := $(profiled:$(BUILD)/%=$(BUILD)/counting/%)
$(profiled) $(counting): CC = $(CLANG)
$(profiled) $(counting): CFLAGS += -gdwarf-4 -ffp-model=strict -Wno-unneeded-internal-declaration -Wno-gnu-variable-sized-type-not-at-end
$(profiled): CFLAGS += -fprofile-use=$(BUILD)/profile -Wno-profile-instr-out-of-date -Wno-profile-instr-unprofiled -Wno-backend-plugin
$(profiled): $(BUILD)/profile
$(BUILD)/profile: tools/profile.text | build/.packages
	@mkdir -p $(@D)
	@$(PROFDATA) merge -o $@ $<
# The same, counting how often each part runs, around which a search is linked from the other objects.
$(hot:%=$(BUILD)/counting/%.o): CFLAGS += -O3
$(counting): CFLAGS += -fprofile-generate
$(BUILD)/counting/%.o: src/%.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -c -o $@ $<
$(BUILD)/counting/cost: bench/cost.c $(counting) $(BUILD)/libheddle.a
	@$(CLANG) $(CFLAGS) -fprofile-generate -rdynamic -o $@ $^ $(LDLIBS)
profile: all $(BUILD)/counting/cost
	@PROFDATA=$(PROFDATA) tools/profile $(BUILD)/counting/cost tools/profile.text
$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CC) $(CFLAGS) -c -o $@ $<
# What this build was made of: machines of one run must agree on it (base/made_of.h).
made := $(shell cat $(sort $(shell find src include -name '*.[chd]*' -type f)) | sha256sum | cut -c 1-12)$(if $(variant),-$(variant))
$(BUILD)/base/made_of.o: CFLAGS += -DHD_MADE_OF='"$(made)"'
$(BUILD)/base/made_of.o: $(shell find src include -name '*.[chd]*' -type f)
# What tells the files of the models from those of users, whatever those are called.
mark := <heddle $(shell cat src/models/*.c | sha256sum | cut -c 1-16)>/
$(BUILD)/program/finding.o: CFLAGS += -DHD_MODELS='"$(mark)"'
$(BUILD)/program/finding.o: $(wildcard src/models/*.c)
$(models): $(wildcard src/models/*.c)
# What is linked is what is in the folder (compile/model_files.h).
$(BUILD)/compile/model_files.o: CFLAGS += -DHD_MODEL_FILES='$(patsubst $(BUILD)/models/%.bc,"%"$(comma),$(sort $(models)))'
$(BUILD)/compile/model_files.o: $(wildcard src/models/*.c) src/models
comma := ,
# The page of reports is linked as it is (report/page_files.c).
$(BUILD)/report/page_files.o: $(wildcard src/report/page/*)
$(BUILD)/report/meaning.o: docs/findings.md
$(BUILD)/cli/gdb.o: src/cli/gdb.py
# The headers that programs under test include, beside the tool as they are when installed.
$(BUILD)/include: include
	@mkdir -p $(@D)
	@ln -sfn $(CURDIR)/include $@

# Most tests are compiled once and run for a moment: half of compiling them was optimising them.  Brute force is in tests/property.
$(BUILD)/tests/unit/%.o: CFLAGS += -O0
$(BUILD)/tests/tool/%.o $(BUILD)/tests/property/random/%.o: CFLAGS += $(if $(SAN),-O0,-O1)
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CC) $(CFLAGS) -Itests -c -o $@ $<
$(BUILD)/libtests.a: $(helpers)
	@rm -f $@
	@ar rcs $@ $^
# gold, where it is, links a test in half the time; there are 150 of them in the three builds.  heddle-compile takes 4.2 s instead of 6.6,
# and has a quarter less page faults when it begins.
gold := $(if $(wildcard /usr/bin/ld.gold),-fuse-ld=gold)
$(tests): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libtests.a $(BUILD)/libheddle.a
	@$(CC) $(LDFLAGS) $(gold) $(if $(HOSTILE),-fsanitize=leak) -rdynamic -o $@ $^ -lcmocka -Wl,--as-needed -lhogweed $(LDLIBS)
tests: all $(tests)
units: all $(units)
searchers: $(searchers)
own_compiler: $(own_compiler) $(BUILD)/inline.bc $(models) $(BUILD)/models/names

# Both variants at once: while one links, which takes one processor, the other compiles.
# With "+" output is not held back until the target is done: tests/run shows what it is doing.
demo: all
	@tools/demo $(BUILD)/heddle
# Pages are tested in a browser where there is one, or where it can be installed.
build/.browser: tools/browser | build/.packages
	@tools/browser || echo "without Chromium the tests of pages are skipped"
	@mkdir -p build && touch $@
check: tests | build/.browser
	+@$(MAKE) --no-print-directory SAN=address,undefined PARTS=$(BUILD) units own_compiler & sanitized=$$!; \
	$(MAKE) --no-print-directory HOSTILE=1 PARTS=$(BUILD) all searchers; hostile=$$?; \
	wait $$sanitized && exit $$hostile
	+@MAKEFLAGS= BUILD=$(BUILD) SANITIZED=build/san HOSTILE_BUILD=build/hostile tests/run
soak: tests
	@$(MAKE) --no-print-directory HOSTILE=1 PARTS=$(BUILD) all searchers
	+@MAKEFLAGS= BUILD=$(BUILD) HOSTILE_BUILD=build/hostile SOAK=1 tests/run
	@SOAK=1 $(BUILD)/tests/unit/test_compile_growth
	@$(MAKE) --no-print-directory fuzz RUNS=10000000
$(BUILD)/bench/%: bench/%.c $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)
bench: all $(BUILD)/bench/commits $(BUILD)/bench/cost $(BUILD)/tests/unit/test_suite
	@HEDDLE=$(BUILD)/heddle bench/run
	@HEDDLE=$(BUILD)/heddle bench/report

fuzzers := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
fuzz_flags = -std=gnu17 -D_GNU_SOURCE -g1 -O1 -mavx2 -fsanitize=fuzzer-no-link,address,undefined -fsanitize-trap=undefined -Isrc -Iinclude -Itests -DHD_VERSION='"$(version)"' \
    -DHD_MADE_OF='"fuzz"' -DHD_MODELS='"$(mark)"' -DHD_MODEL_FILES='$(patsubst $(BUILD)/models/%.bc,"%"$(comma),$(sort $(models)))'
fuzzed := $(library:$(BUILD)/%.o=$(BUILD)/fuzz/objects/%.o)
# What is no parser does not guide the search for inputs: hashes and tables would take most of the time.
unguided = $(filter-out machine/run/module solve/chain world/address cover/source_map,$(filter base/% machine/% symbolic/% solve/% mapping/% world/% tell/% cover/% program/module_fingerprint program/symbolize,$(1)))
$(BUILD)/fuzz/objects/%.o: src/%.c
	@mkdir -p $(@D)
	@$(CLANG) $(if $(call unguided,$*),$(filter-out -fsanitize=%,$(fuzz_flags)) -fsanitize=address$(comma)undefined,$(fuzz_flags)) -fsanitize-trap=undefined -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/libheddle.a: $(fuzzed)
	@rm -f $@
	@ar rcs $@ $^
# After each input the counters of all that is linked are looked at, 270,000 in the whole library: a target has what it needs.
# An image that is loaded asks for functions by name.
$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/fuzz/libheddle.a
	@mkdir -p $(@D)
	@$(CLANG) $(fuzz_flags) -MMD -MP -MF $@.d -MT $@ -fsanitize=fuzzer -rdynamic -o $@ $< $(if $(filter fuzz_image,$*),-Wl$(comma)--whole-archive$(comma)--allow-multiple-definition) $(BUILD)/fuzz/libheddle.a -Wl,--no-whole-archive $(LDLIBS)
# RUNS=N instead of a minute each.
fuzz: $(fuzzers) all
	@BUILD=$(BUILD) RUNS='$(RUNS)' tests/fuzz/run $(fuzzers)

format:
	clang-format-19 -i $$(git ls-files '*.c' '*.h' '*.cc' | grep -v ^tests/programs)
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/heddle/models $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1
	install $(BUILD)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	install $(BUILD)/heddle-compile $(DESTDIR)$(PREFIX)/libexec/heddle/heddle-compile
	install -m 644 $(BUILD)/inline.bc $(DESTDIR)$(PREFIX)/libexec/heddle/inline.bc
	install -m 644 $(models) $(BUILD)/models/names $(DESTDIR)$(PREFIX)/libexec/heddle/models
	cp -r include/. $(DESTDIR)$(PREFIX)/include/
	tools/manuals $(BUILD)/heddle $(BUILD)/man
	install -m 644 man/*.1 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	$(BUILD)/heddle completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
	$(BUILD)/heddle completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_heddle
clean:
	rm -rf build

-include $(objects:.o=.d) $(compiler:.o=.d) $(BUILD)/compile/compiler/own_clang.d $(models:.bc=.d) $(BUILD)/inline.bc.d $(tests:=.d) $(helpers:.o=.d) $(fuzzed:.o=.d) $(fuzzers:=.d) $(counting:.o=.d)
.PHONY: all tests units searchers demo check soak bench profile fuzz format install clean
