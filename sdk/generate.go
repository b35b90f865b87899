package sdk

// The generated code needs protoc; its Go plugins are pinned as tools in go.mod.
//go:generate sh internal/generate.sh
