//go:build !js

package file

import "syscall"

// nonblock prevents opening a named pipe from waiting for the other end.
const nonblock = syscall.O_NONBLOCK
