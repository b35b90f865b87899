#!/bin/sh
# Writes sdk/internal/pluginv1 from the .proto files. Run by go generate in sdk.
set -eu
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/" google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc
mkdir -p internal/pluginv1
rm -f internal/pluginv1/*.pb.go
PATH="$bin:$PATH" protoc -I proto \
	--go_out=internal/pluginv1 --go_opt=module=querent.dev/querent/sdk/internal/pluginv1 \
	--go-grpc_out=internal/pluginv1 --go-grpc_opt=module=querent.dev/querent/sdk/internal/pluginv1 \
	proto/querent/plugin/v1/*.proto
