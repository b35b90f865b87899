#!/bin/sh
# Makes src/querent/plugin/v1 from the protocol. Needs protoc and grpc_python_plugin
# (Debian: protobuf-compiler, protobuf-compiler-grpc). What an older protoc makes runs
# with newer python3-protobuf, but not the other way around.
set -eu
cd "$(dirname "$0")"
proto=../../sdk/proto
rm -rf src/querent
protoc -I "$proto" -I /usr/include --python_out=src --grpc_python_out=src \
    --plugin=protoc-gen-grpc_python="$(command -v grpc_python_plugin)" \
    "$proto"/querent/plugin/v1/*.proto
# Files without a service need no stubs.
for stub in src/querent/plugin/v1/*_pb2_grpc.py; do
    grep -q '^class ' "$stub" || rm "$stub"
done
