//go:build js || plan9 || wasip1

package main

// ignoreSIGPIPE has nothing to do where there is no such signal.
func ignoreSIGPIPE() {}
