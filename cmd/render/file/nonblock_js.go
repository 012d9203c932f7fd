package file

// nonblock is 0: hosts of wasm programs have no such flag.
const nonblock = 0
