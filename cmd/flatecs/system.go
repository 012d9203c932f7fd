//go:build !js && !plan9 && !wasip1

package main

import (
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE makes writing to a closed stdout an error like any other, not the death of the
// process by a signal.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// hangUp is the signal of a terminal that is gone.
const hangUp = syscall.SIGHUP
