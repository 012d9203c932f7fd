//go:build js || plan9 || wasip1

package main

import "syscall"

// ignoreSIGPIPE does nothing: there is no such signal.
func ignoreSIGPIPE() {}

// hangUp stands for the signal of a closed terminal.
const hangUp = syscall.SIGTERM
