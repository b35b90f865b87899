#!/bin/sh
# Packs the plugin into one file, which plugins.lock then holds as a whole:
#
#   ./build.sh FOLDER
#
# PYTHON is the interpreter that the file begins with.
set -eu
[ $# -eq 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
out=$1/querent-plugin-tally
"${PYTHON:=/usr/bin/python3}" -m zipapp "$(dirname "$0")/src" -p "$PYTHON" -o "$out"
chmod 755 "$out"
echo "$out"
