# Heddle: `make demo` and `make check` do everything on a fresh Debian machine.
#
#   make            the tool: $(BUILD)/heddle
#   make demo       build it and let it find a real bug in an example
#   make check      build it and run all tests; the last line is "N passed, N failed"
#   make bench      compare with native code and with plain solving, in ratios
#   make soak       the property tests for much longer
#   make fuzz       the parsers under libFuzzer for a minute each
#   make format     clang-format all sources
#   make install    into $(DESTDIR)$(PREFIX)
#
# Variants: SAN=address,undefined builds into a directory of its own; DEBUG=1 turns costly
# checks on; HOSTILE=1 makes rare things common (base/hostile.h).
PREFIX ?= /usr/local
SAN    ?=
DEBUG  ?=
HOSTILE ?=
variant := $(subst $(eval) ,-,$(strip $(if $(SAN),san) $(if $(DEBUG),debug) $(if $(HOSTILE),hostile)))
BUILD  ?= build$(if $(variant),/$(variant))
MAKEFLAGS += --jobs=$(shell nproc) --output-sync=target
CC      = gcc
CLANG   = clang-19
LLVM    = llvm-config-19

version := 0.1.0
CFLAGS  = -std=gnu17 -D_GNU_SOURCE -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror -Isrc -Iinclude \
          -DHD_VERSION='"$(version)"' -MMD -MP $(if $(SAN),-fsanitize=$(SAN)) $(if $(DEBUG),-DHD_DEBUG) $(if $(HOSTILE),-DHD_HOSTILE_BUILD)
LDFLAGS = $(if $(SAN),-fsanitize=$(SAN))
LDLIBS  = -Wl,--no-as-needed -lm -Wl,--as-needed -lcadical -lstdc++ -lz3 -lsqlite3 -ljansson -lyaml -ldw -lelf -ldl -lpthread

folders  := base symbolic solve world machine explore record tell fleet report cli compile scenario
sources  := $(filter-out src/machine/inline.c,$(foreach f,$(folders),$(wildcard src/$f/*.c)))
objects  := $(sources:src/%.c=$(BUILD)/%.o)
library  := $(filter-out $(BUILD)/cli/main.o,$(objects))
compiler := $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/compile/compiler/*.c))
models   := $(patsubst src/models/%.c,$(BUILD)/models/%.bc,$(wildcard src/models/*.c))
# Parts of tests, and programs for Heddle: no tests by themselves.
comparing := $(addprefix tests/property/,code.c values.c history.c known.c compare.c trial.c)
threads  := $(addprefix tests/property/,model_threads.c thread_actions.c brute_threads.c)
messages := $(addprefix tests/property/,model_messages.c model_queues.c brute_messages.c)
parts    := $(comparing) $(threads) $(messages) $(addprefix tests/property/,random_threads.c random_messages.c tool.c operand_program.c thread_program.c section_program.c \
            process_program.c process_script.c process_explore.c process_native.c ending_source.c ending_statements.c sanitizer_cases.c sanitizer_undefined.c sanitizer_reports.c uninitialised_cases.c)
tests    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(filter-out $(parts),$(wildcard tests/unit/*.c tests/property/*.c tests/*.c)))

all: $(BUILD)/heddle $(BUILD)/heddle-compile $(BUILD)/inline.bc $(models) $(BUILD)/include

build/.packages: tools/packages
	tools/packages
	@mkdir -p build && touch $@
$(objects) $(compiler) $(models) $(BUILD)/inline.bc: | build/.packages

$(BUILD)/heddle: $(objects)
	@echo "  $@"
	@$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)
$(BUILD)/libheddle.a: $(library)
	@rm -f $@
	@ar rcs $@ $^
$(BUILD)/heddle-compile: $(compiler) $(BUILD)/base/panic.o $(BUILD)/base/err.o $(BUILD)/base/vec.o $(BUILD)/base/text.o $(BUILD)/base/map.o
	@echo "  $@"
	@$(CC) $(LDFLAGS) -o $@ $^ -L$(shell $(LLVM) --libdir) -lLLVM-19 -ldw -lelf -ljansson
$(compiler): CFLAGS += -I$(shell $(LLVM) --includedir)
# What runs for every event of every execution.
hot := explore/events explore/races explore/waiting explore/reduce explore/wakeup explore/weave machine/visible machine/threads machine/sync machine/sync_mutex \
       machine/sync_condition machine/caller base/map
$(hot:%=$(BUILD)/%.o): CFLAGS += -O3
$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CC) $(CFLAGS) -c -o $@ $<
# What is linked into every module: the inlined fast paths and the models of libc.
$(BUILD)/inline.bc: src/machine/inline.c src/machine/abi.h
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CLANG) -std=gnu17 -O1 -Xclang -disable-llvm-passes -mavx2 -Isrc -c -emit-llvm -o $@ $<
$(BUILD)/models/%.bc: src/models/%.c
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CLANG) -std=gnu17 -O1 -Xclang -disable-llvm-passes -g '-ffile-prefix-map=src/models/=$(mark)' -fdebug-compilation-dir=. -fno-builtin -D__NO_INLINE__ -Iinclude -Isrc -c -emit-llvm -o $@ $<
# What tells the files of the models from those of users, whatever those are called.
mark := <heddle $(shell cat src/models/*.c | sha256sum | cut -c 1-16)>/
$(BUILD)/machine/finding.o: CFLAGS += -DHD_MODELS='"$(mark)"'
$(BUILD)/machine/finding.o: $(wildcard src/models/*.c)
$(models): $(wildcard src/models/*.c)
# The headers that programs under test include, beside the tool as they are when installed.
$(BUILD)/include: include
	@mkdir -p $(@D)
	@ln -sfn $(CURDIR)/include $@

$(BUILD)/tests/%: tests/%.c $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@echo "  $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $(filter %.c,$^) $(BUILD)/libheddle.a -lcmocka $(LDLIBS)
$(BUILD)/tests/property/property_weave: $(comparing) $(threads) tests/property/random_threads.c
$(BUILD)/tests/property/property_threads: $(comparing) $(threads) tests/property/tool.c
$(BUILD)/tests/property/property_language: tests/property/tool.c tests/property/tool.h
$(BUILD)/tests/property/property_leaks: tests/property/tool.c tests/property/tool.h
$(BUILD)/tests/property/property_sections: tests/property/tool.c tests/property/tool.h
$(BUILD)/tests/property/property_endings: $(addprefix tests/property/,tool.c ending_source.c ending_statements.c) $(wildcard tests/property/ending_*.h)
$(BUILD)/tests/property/property_sanitizers: $(addprefix tests/property/,tool.c sanitizer_cases.c sanitizer_undefined.c sanitizer_reports.c) $(wildcard tests/property/sanitizer_*.h)
$(BUILD)/tests/property/property_uninitialised: $(addprefix tests/property/,tool.c uninitialised_cases.c) tests/property/uninitialised_cases.h
$(BUILD)/tests/property/property_operands: tests/property/tool.c tests/property/tool.h $(BUILD)/operand_program.stamp
$(BUILD)/operand_program.stamp: tests/property/operand_program.c # is included by property_operands.c
	@mkdir -p $(@D)
	@touch $@
$(BUILD)/tests/property/property_messages: $(comparing) $(messages) tests/property/random_messages.c
$(BUILD)/tests/samples: tests/property/history.c tests/property/history.h
$(addprefix $(BUILD)/tests/property/property_,weave threads messages): $(wildcard tests/property/*.h)
$(BUILD)/tests/property/property_processes: $(addprefix tests/property/,process_script.c process_explore.c process_native.c)
$(BUILD)/tests/property/property_processes: $(wildcard tests/property/process_*.h) $(BUILD)/process_program.stamp
$(BUILD)/process_program.stamp: tests/property/process_program.c # is included by process_native.c
	@mkdir -p $(@D) && touch $@
tests: all $(tests)

# With "+" output is not held back until the target is done: tests/run shows what it is doing.
demo: all
	@tools/demo $(BUILD)/heddle
check: tests
	@$(MAKE) --no-print-directory SAN=address,undefined tests
	@$(MAKE) --no-print-directory HOSTILE=1 all
	+@MAKEFLAGS= BUILD=$(BUILD) SANITIZED=build/san HOSTILE_BUILD=build/hostile tests/run
soak: tests
	@$(MAKE) --no-print-directory HOSTILE=1 all
	+@MAKEFLAGS= BUILD=$(BUILD) HOSTILE_BUILD=build/hostile SOAK=1 tests/run
bench: all
	@HEDDLE=$(BUILD)/heddle bench/run

fuzzers := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
$(BUILD)/fuzz/%: tests/fuzz/%.c $(library:$(BUILD)/%.o=src/%.c)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -Iinclude -DHD_VERSION='"$(version)"' \
	    -o $@ $< $(library:$(BUILD)/%.o=src/%.c) $(LDLIBS)
fuzz: $(fuzzers)
	@for f in $^; do mkdir -p $(BUILD)/corpus/$${f##*/}; $$f -max_total_time=60 $(BUILD)/corpus/$${f##*/} || exit 1; done

format:
	clang-format-19 -i $$(git ls-files '*.c' '*.h' | grep -v ^tests/programs)
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/heddle/models $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1
	install $(BUILD)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	install $(BUILD)/heddle-compile $(DESTDIR)$(PREFIX)/libexec/heddle/heddle-compile
	install -m 644 $(BUILD)/inline.bc $(DESTDIR)$(PREFIX)/libexec/heddle/inline.bc
	install -m 644 $(models) $(DESTDIR)$(PREFIX)/libexec/heddle/models
	cp -r include/. $(DESTDIR)$(PREFIX)/include/
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
clean:
	rm -rf build

-include $(objects:.o=.d) $(compiler:.o=.d)
.PHONY: all tests demo check soak bench fuzz format install clean
