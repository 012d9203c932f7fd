package main

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// takesKeys reports whether a program reads single keys from the terminal, like programs that draw
// in it.
func takesKeys(in *os.File) bool {
	mode, err := unix.IoctlGetTermios(int(in.Fd()), unix.TCGETS)
	return err == nil && mode.Lflag&unix.ICANON == 0
}

// typedLine returns a line that was typed in a terminal, without waiting. It returns "" if there is
// none, or if another program uses the terminal or reads single keys.
func typedLine(in *os.File) string {
	fd := int(in.Fd())
	mode, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil || mode.Lflag&unix.ICANON == 0 {
		return ""
	}
	if job, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err != nil || job != unix.Getpgrp() {
		return ""
	}
	ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if n, err := unix.Poll(ready, 0); err != nil || n == 0 {
		return ""
	}
	line := make([]byte, 256)
	n, _ := in.Read(line)
	return strings.TrimSpace(string(line[:max(n, 0)]))
}
