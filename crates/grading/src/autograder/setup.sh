#!/usr/bin/env bash
# Gradescope runs this once, as root, when the image is built: players are compiled with gcc.
set -eu
apt-get update
apt-get install -y --no-install-recommends gcc libc6-dev
chmod 755 /autograder/source/estr2048
