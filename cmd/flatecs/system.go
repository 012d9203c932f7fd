//go:build !js && !plan9 && !wasip1

package main

import (
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE makes writes to a closed stdout return an error instead of ending the process.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// hangUp is the signal of a closed terminal.
const hangUp = syscall.SIGHUP
