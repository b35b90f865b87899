package sdk

// Version is the version that the program was built as. The linker sets it.
var Version = "unknown"
