# make            build libestr2048.a and ./game
# make shared     build libestr2048.so, too
# make tools      build ./estr2048, the workbench
# make test       build and run the tests
# make test-all   the same with the heavy proofs, which take some minutes more
# make test-python  the same for the Python package, in an environment of its own
# make bench      measure the speed of the generator and the boards
# make header     write include/estr2048.h anew from src/ffi
# make pictures   take the pictures of the README from the real programs (needs Chromium)
# make figures    draw the figures of docs/ from the numbers in docs/data
# make install    copy what was built below PREFIX: libraries, headers, pkg-config and CMake files, man pages, ./estr2048
#                 with the completions for its commands
# make uninstall  remove what `make install` with the same variables copied
# make clean      remove what was built
#
# Variables: STUDENT_ID, NETWORK=none (a library without the network), CC, CFLAGS, LDFLAGS, CARGO, OBJCOPY,
# TARGET (a Rust target triple, for a cross build); for install and uninstall PREFIX, DESTDIR, bindir, libdir,
# includedir, mandir, datadir.

ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS ?= -O2
CARGO ?= cargo
TARGET ?=
NETWORK ?=
CARGO_TARGET_DIR ?= target
OBJCOPY ?= objcopy

PREFIX ?= /usr/local
DESTDIR ?=
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
libdir = $(exec_prefix)/lib
includedir = $(prefix)/include
datadir = $(prefix)/share
mandir = $(datadir)/man

# The ID is remembered, so that `make STUDENT_ID=...` followed by `make install` installs that ID: the name of the header
# that is built with the library has it.
BUILT_ID := $(patsubst include/aiplayer_%.h,%,$(firstword $(wildcard include/aiplayer_*.h)))
STUDENT_ID ?= $(or $(BUILT_ID),1155123456)
BUILT_NETWORK = $(shell cat $(CARGO_TARGET_DIR)/network 2>/dev/null)

export STUDENT_ID CC CARGO_TARGET_DIR

override CFLAGS += -std=c99 -Wall -Wextra -Wpedantic -Iinclude -DESTR_STUDENT_ID=$(STUDENT_ID)

# What a static link of Rust's standard library needs; tests/install.rs asks rustc whether the list is complete.
ifneq ($(findstring windows,$(TARGET)),)
NATIVE_LIBS = -lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp
GAME = game.exe
else
NATIVE_LIBS = -lpthread -ldl -lm
GAME = game
endif

BUILT_LIB = $(CARGO_TARGET_DIR)/$(if $(TARGET),$(TARGET)/)release/libestr2048.a
BUILT_TOOL = $(BUILT_LIB:libestr2048.a=estr2048)
VERSION := $(shell sed -n '/^\[workspace.package\]/,/^$$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
SHARED = libestr2048.so.$(VERSION)
SONAME = libestr2048.so.$(firstword $(subst ., ,$(VERSION)))

# What the library is made of. make decides whether cargo has anything to do, so that a tree that is built, though it
# may be read-only or belong to somebody else, stays as it is.
SOURCES := Cargo.toml Cargo.lock build.rs cbindgen.toml $(shell find src weights -type f)
TOOL_SOURCES := $(SOURCES) $(shell find cli $(wildcard crates) -type f -not -path '*/tests/*' -not -path '*/target/*')

# What was built with `make shared` is kept up with the archive.
all: $(GAME) $(if $(wildcard $(SHARED)),$(SHARED))

$(GAME): c/main.c libestr2048.a include/estr2048.h include/tinymt32.h
	$(CC) $(CFLAGS) c/main.c libestr2048.a $(NATIVE_LIBS) $(LDFLAGS) -o $@

# As a staticlib alone the library is optimised as a whole, which also keeps the standard library's own symbols out of
# sight. Its debug information would be the standard library's.
#
# The functions that students write themselves are made weak: a program that defines its own human_player, or compiles
# tinymt32.c in, uses its own and still links.
WEAK = human_player 'aiplayer_*' 'tinymt32_*' rust_eh_personality
LIBRARY_OPTIONS = $(if $(filter none,$(NETWORK)),--no-default-features --features stdio) $(if $(TARGET),--target $(TARGET))
libestr2048.a: $(SOURCES)
	$(CARGO) rustc --release --locked --package estr2048 --lib --crate-type staticlib \
		$(LIBRARY_OPTIONS)
	@$(OBJCOPY) --strip-debug --wildcard $(WEAK:%=--weaken-symbol=%) $(BUILT_LIB) $@.new
	@mv $@.new $@
	@rm -f include/aiplayer_*.h
	@sed 's/@STUDENT_ID@/$(STUDENT_ID)/g' packaging/aiplayer.h.in > include/aiplayer_$(STUDENT_ID).h
	@echo '$(NETWORK)' > $(CARGO_TARGET_DIR)/network

# Another ID, or with and without the network, is another library.
ifneq ($(STUDENT_ID) $(NETWORK),$(BUILT_ID) $(BUILT_NETWORK))
libestr2048.a: FORCE
endif

shared: $(SHARED)

# The archive's own objects, with the names of the map and no others in sight.
$(SHARED): libestr2048.a packaging/libestr2048.map
	$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=packaging/libestr2048.map -Wl,-z,defs -Wl,--gc-sections \
		-Wl,--whole-archive libestr2048.a -Wl,--no-whole-archive $(NATIVE_LIBS) $(LDFLAGS) -o $@.new
	@mv $@.new $@
	@ln -sf $@ $(SONAME)
	@ln -sf $(SONAME) libestr2048.so

tools: estr2048

estr2048: $(TOOL_SOURCES)
	$(CARGO) build --release --locked --package estr2048-cli $(if $(TARGET),--target $(TARGET))
	@cp $(BUILT_TOOL) $@.new
	@mv $@.new $@

test: all
	$(CARGO) test --locked --workspace --features estr2048/header

test-all: export ESTR_TEST_ALL = 1
test-all: test

# Gymnasium and numpy come from the package index.
test-python: shared
	python3 -m venv $(CARGO_TARGET_DIR)/python
	$(CARGO_TARGET_DIR)/python/bin/pip install --quiet --disable-pip-version-check './python[test]'
	$(CARGO_TARGET_DIR)/python/bin/python -m pytest --quiet -p no:cacheprovider python/tests

bench:
	$(CARGO) bench --locked --package estr2048

header:
	UPDATE_HEADER=1 $(CARGO) test --locked --package estr2048 --features header --test header

figures:
	UPDATE_FIGURES=1 $(CARGO) test --locked --package estr2048-figures --test documents

pictures:
	$(CARGO) test --locked --package estr2048-cli --test pictures -- --ignored

# Neither starts cargo: they may run as another user, who has none. Paths go to the shell by the environment, so that no
# blank or quote in them does harm.
$(foreach name,DESTDIR prefix bindir libdir includedir mandir datadir BUILT_ID VERSION NATIVE_LIBS SHARED SONAME, \
    $(eval install uninstall: export $(name) := $$($(name))))
install uninstall:
	@sh packaging/install.sh $@

clean:
	$(CARGO) clean
	rm -f $(GAME) libestr2048.a libestr2048.so* estr2048 include/aiplayer_*.h

FORCE:

.PHONY: all shared tools test test-all test-python bench header figures pictures install uninstall clean FORCE
