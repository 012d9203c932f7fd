//go:build !js

package file

import "syscall"

// nonblock has an opening of a named pipe not wait for the pipe's other end.
const nonblock = syscall.O_NONBLOCK
