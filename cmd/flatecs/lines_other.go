//go:build !linux

package main

import "os"

// takesKeys returns false: only Linux supports replacing programs.
func takesKeys(*os.File) bool { return false }

// typedLine returns "": only Linux supports replacing programs.
func typedLine(*os.File) string { return "" }
