package buffer

// Memory returns the bytes that a world may take of the 4 GB that a WebAssembly program can have.
func Memory() int64 { return 3 << 30 }
