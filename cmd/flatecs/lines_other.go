//go:build !linux

package main

import "os"

// takesKeys is false: programs are replaced on Linux alone.
func takesKeys(*os.File) bool { return false }

// typedLine returns "": programs are replaced on Linux alone.
func typedLine(*os.File) string { return "" }
