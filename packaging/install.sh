#!/bin/sh
# install.sh install|uninstall: called by the Makefile, which hands everything over by the environment. Copies what was
# built, and builds nothing.
set -eu

# ================================ Where to ================================

# A relative path is one below the project, as everywhere in make.
absolute() {
    case "$1" in
    /*) printf '%s' "$1" ;;
    *) printf '%s/%s' "$PWD" "$1" ;;
    esac
}

prefix=$(absolute "$prefix")
bindir=$(absolute "$bindir")
libdir=$(absolute "$libdir")
includedir=$(absolute "$includedir")
mandir=$(absolute "$mandir")
datadir=$(absolute "$datadir")
bashdir=$datadir/bash-completion/completions
fishdir=$datadir/fish/vendor_completions.d
zshdir=$datadir/zsh/site-functions
pkgconfigdir=$libdir/pkgconfig
cmakedir=$libdir/cmake/estr2048

# Files go below DESTDIR, but speak of the paths without it.
root=${DESTDIR:+$(absolute "$DESTDIR")}

fail() {
    echo "make $task: $*" >&2
    exit 1
}

# ================================= Install ================================

# put MODE FILE PATH: copies a file. An old one is replaced in one step, also while a program runs from it.
put() {
    install -d "$root${3%/*}"
    install -m "$1" "$2" "$root$3.new"
    mv -f "$root$3.new" "$root$3"
    echo "$root$3"
}

link() {
    ln -sfn "$1" "$root$2"
    echo "$root$2"
}

# For the right-hand side of a substitution by sed.
quoted() {
    printf '%s' "$1" | sed 's/[\\&|]/\\&/g'
}

# The same path in words of ${prefix}, so that pkg-config can move it.
below_prefix() {
    case "$1" in
    "$prefix"/*) printf '${prefix}%s' "${1#"$prefix"}" ;;
    *) printf '%s' "$1" ;;
    esac
}

# What a linker needs beside -L. A program finds the shared library where it was installed; the system's own folders
# need no word about that.
libs() {
    if [ ! -e "$SHARED" ]; then
        echo "-lestr2048 $NATIVE_LIBS"
    elif [ "$libdir" = /usr/lib ] || [ "$libdir" = /lib ] || [ "${libdir#/usr/lib/}" != "$libdir" ]; then
        echo '-lestr2048'
    else
        echo '-Wl,-rpath,"${libdir}" -lestr2048'
    fi
}

# fill TEMPLATE PATH LIBDIR INCLUDEDIR: installs a template with its @NAMES@ filled in.
fill() {
    sed -e "s|@PREFIX@|$(quoted "$prefix")|g" -e "s|@LIBDIR@|$(quoted "$3")|g" \
        -e "s|@INCLUDEDIR@|$(quoted "$4")|g" -e "s|@VERSION@|$VERSION|g" -e "s|@SERIES@|${VERSION%.*}|g" \
        -e "s|@STUDENT_ID@|$BUILT_ID|g" -e "s|@SONAME@|$SONAME|g" -e "s|@LIBS@|$(quoted "$(libs)")|g" \
        -e "s|@NATIVE_LIBS@|$NATIVE_LIBS|g" -e "s|@CMAKE_LIBS@|$(echo "$NATIVE_LIBS" | tr ' ' ';')|g" \
        "$1" > "$scratch"
    put 644 "$scratch" "$2"
}

install_all() {
    [ -e libestr2048.a ] || fail "there is no libestr2048.a yet: run make first"
    [ "$STUDENT_ID" = "$BUILT_ID" ] ||
        fail "the library was built for the ID $BUILT_ID: run make STUDENT_ID=$STUDENT_ID first"

    scratch=$(mktemp)
    trap 'rm -f "$scratch"' EXIT
    put 644 libestr2048.a "$libdir/libestr2048.a"
    if [ -e "$SHARED" ]; then
        put 755 "$SHARED" "$libdir/$SHARED"
        link "$SHARED" "$libdir/$SONAME"
        link "$SONAME" "$libdir/libestr2048.so"
    fi
    put 644 include/tinymt32.h "$includedir/tinymt32.h"
    put 644 "include/aiplayer_$BUILT_ID.h" "$includedir/aiplayer_$BUILT_ID.h"
    sed "s/^#define ESTR_STUDENT_ID .*/#define ESTR_STUDENT_ID $BUILT_ID/" include/estr2048.h > "$scratch"
    put 644 "$scratch" "$includedir/estr2048.h"
    fill packaging/estr2048.pc.in "$pkgconfigdir/estr2048.pc" "$(below_prefix "$libdir")" "$(below_prefix "$includedir")"
    fill packaging/estr2048-config.cmake.in "$cmakedir/estr2048-config.cmake" "$libdir" "$includedir"
    fill packaging/estr2048-config-version.cmake.in "$cmakedir/estr2048-config-version.cmake" "$libdir" "$includedir"
    for page in man/*.[1-8]; do
        put 644 "$page" "$mandir/man${page##*.}/${page##*/}"
    done
    if [ -x estr2048 ]; then
        put 755 estr2048 "$bindir/estr2048"
        describe_commands
    fi
}

# The program writes its own man pages and completions, so that they tell of the very commands that are installed.
describe_commands() {
    pages=$(mktemp -d)
    trap 'rm -rf "$scratch" "$pages"' EXIT
    if ! ./estr2048 man "$pages" >/dev/null 2>&1; then
        echo "make $task: ./estr2048 does not run here, so its man pages and completions are left out" >&2
        return 0
    fi
    for page in "$pages"/*.1; do
        put 644 "$page" "$mandir/man1/${page##*/}"
    done
    complete bash "$bashdir/estr2048"
    complete fish "$fishdir/estr2048.fish"
    complete zsh "$zshdir/_estr2048"
}

# complete SHELL PATH
complete() {
    ./estr2048 completions "$1" > "$scratch"
    put 644 "$scratch" "$2"
}

# ================================ Uninstall ===============================

take_away() {
    for file in "$@"; do
        if [ -e "$root$file" ] || [ -L "$root$file" ]; then
            rm -f "$root$file"
            echo "$root$file"
        fi
    done
}

# Removes a folder that is empty, and those around it as long as they are empty and lie below DESTDIR or below a prefix
# that is nobody else's.
prune() {
    case "$root:$prefix" in
    : | :/ | :/usr | :/usr/local | ":$HOME" | ":$HOME/.local") return 0 ;;
    esac
    rmdir "$root$1" 2>/dev/null || [ ! -e "$root$1" ] || return 0
    folder=${1%/*}
    while [ -n "$folder" ]; do
        case "$root:$folder" in
        ":$prefix/"* | ?*:*) rmdir "$root$folder" 2>/dev/null || [ ! -e "$root$folder" ] || return 0 ;;
        *) return 0 ;;
        esac
        folder=${folder%/*}
    done
}

uninstall_all() {
    # The ID and the version of what is there, which may be older than what is here.
    header=$root$includedir/estr2048.h
    [ -e "$header" ] || echo "make $task: there is no $header: is it another PREFIX, DESTDIR or folder?" >&2
    id=$(sed -n 's/^#define ESTR_STUDENT_ID \([0-9]*\)$/\1/p' "$header" 2>/dev/null || true)

    take_away "$libdir/libestr2048.a" "$libdir/libestr2048.so"
    for file in "$root$libdir"/libestr2048.so.*; do
        take_away "${file#"$root"}"
    done
    for page in man/*.[1-8]; do
        take_away "$mandir/man${page##*.}/${page##*/}"
    done
    for page in "$root$mandir"/man1/estr2048.1 "$root$mandir"/man1/estr2048-*.1; do
        take_away "${page#"$root"}"
    done
    take_away "$bashdir/estr2048" "$fishdir/estr2048.fish" "$zshdir/_estr2048"
    take_away "$includedir/tinymt32.h" "$includedir/aiplayer_$id.h" "$includedir/estr2048.h" "$bindir/estr2048" \
        "$pkgconfigdir/estr2048.pc" "$cmakedir/estr2048-config.cmake" "$cmakedir/estr2048-config-version.cmake"
    rmdir "$root$cmakedir" 2>/dev/null || true
    for page in man/*.[1-8]; do
        prune "$mandir/man${page##*.}"
    done
    for folder in "$mandir/man1" "$bashdir" "$fishdir" "$zshdir"; do
        prune "$folder"
    done
    for folder in "${bashdir%/*}" "${fishdir%/*}" "${zshdir%/*}" "$datadir" "$mandir" "$cmakedir" "$libdir/cmake" "$pkgconfigdir" "$libdir" "$includedir" "$bindir"; do
        prune "$folder"
    done
}

task=$1
case "$task" in
install) install_all ;;
uninstall) uninstall_all ;;
*) fail "unknown task" ;;
esac
