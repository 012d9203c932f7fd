//go:build js || plan9 || wasip1

package main

import "syscall"

// ignoreSIGPIPE has nothing to do where there is no such signal.
func ignoreSIGPIPE() {}

// hangUp is the signal of a terminal that is gone.
const hangUp = syscall.SIGTERM
