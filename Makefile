# make            build libestr2048.a and ./game
# make tools      build ./estr2048, the workbench
# make test       build and run the tests
# make test-all   the same with the heavy proofs, which take some minutes more
# make bench      measure the speed of the generator and the boards
# make header     write include/estr2048.h anew from src/ffi
# make install    copy library, headers, estr2048.pc and, if it was built, ./estr2048 below PREFIX
# make clean      remove what was built
#
# Variables: STUDENT_ID, CC, CFLAGS, LDFLAGS, CARGO, OBJCOPY, PREFIX, DESTDIR, TARGET (a Rust target triple, for a
# cross build).

ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS ?= -O2
CARGO ?= cargo
PREFIX ?= /usr/local
DESTDIR ?=
TARGET ?=
CARGO_TARGET_DIR ?= target
OBJCOPY ?= objcopy

# The ID is remembered, so that `make STUDENT_ID=...` followed by `make install` installs that ID.
ID_FILE = $(CARGO_TARGET_DIR)/student-id
STUDENT_ID ?= $(or $(shell cat $(ID_FILE) 2>/dev/null),1155123456)
PREFIX_PATH = $(abspath $(PREFIX))

export STUDENT_ID CC CARGO_TARGET_DIR


override CFLAGS += -std=c99 -Wall -Wextra -Wpedantic -Iinclude -DSTUDENT_ID=$(STUDENT_ID)

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
VERSION = $(shell sed -n '/^\[workspace.package\]/,/^$$/s/^version = "\(.*\)"/\1/p' Cargo.toml)

all: $(GAME)

$(GAME): c/main.c libestr2048.a include/estr2048.h include/tinymt32.h
	$(CC) $(CFLAGS) c/main.c libestr2048.a $(NATIVE_LIBS) $(LDFLAGS) -o $@

# Cargo knows best whether the library is up to date; it is copied only if it changed. As a staticlib alone it is
# optimised as a whole, which also keeps the standard library's own symbols out of sight.
#
# The functions that students write themselves are made weak: a program that defines its own human_player, or compiles
# tinymt32.c in, uses its own and still links.
WEAK = human_player 'aiplayer_*' 'tinymt32_*' rust_eh_personality
libestr2048.a: library
	@$(OBJCOPY) --wildcard $(WEAK:%=--weaken-symbol=%) $(BUILT_LIB) $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

library:
	$(CARGO) rustc --release --locked --package estr2048 --lib --crate-type staticlib $(if $(TARGET),--target $(TARGET))
	@echo '$(STUDENT_ID)' > $(ID_FILE)

tools: estr2048

# A cargo build is quick when nothing changed, and knows better than make whether anything did.
estr2048: workbench
	@cmp -s $(BUILT_TOOL) $@ || cp $(BUILT_TOOL) $@

workbench:
	$(CARGO) build --release --locked --package estr2048-cli $(if $(TARGET),--target $(TARGET))

test: all
	$(CARGO) test --locked --workspace --features estr2048/header

test-all: export ESTR_TEST_ALL = 1
test-all: test

bench:
	$(CARGO) bench --locked --package estr2048

header:
	UPDATE_HEADER=1 $(CARGO) test --locked --package estr2048 --features header --test header

install: all
	install -d '$(DESTDIR)$(PREFIX_PATH)/lib/pkgconfig' '$(DESTDIR)$(PREFIX_PATH)/include'
	install -m 644 libestr2048.a '$(DESTDIR)$(PREFIX_PATH)/lib/libestr2048.a'
	install -m 644 include/tinymt32.h '$(DESTDIR)$(PREFIX_PATH)/include/tinymt32.h'
	sed 's/^#define STUDENT_ID .*/#define STUDENT_ID $(STUDENT_ID)/' include/estr2048.h \
		> '$(DESTDIR)$(PREFIX_PATH)/include/estr2048.h'
	sed -e 's|@PREFIX@|$(PREFIX_PATH)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@STUDENT_ID@|$(STUDENT_ID)|' \
		-e 's|@NATIVE_LIBS@|$(NATIVE_LIBS)|' estr2048.pc.in > '$(DESTDIR)$(PREFIX_PATH)/lib/pkgconfig/estr2048.pc'
	if [ -x estr2048 ]; then install -D -m 755 estr2048 '$(DESTDIR)$(PREFIX_PATH)/bin/estr2048'; fi

clean:
	$(CARGO) clean
	rm -f $(GAME) libestr2048.a estr2048

.PHONY: all library tools workbench test test-all bench header install clean
