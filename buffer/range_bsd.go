//go:build darwin || netbsd || freebsd || openbsd || dragonfly

package buffer

const hugePages = false

func adviseSmall([]byte) {}

func adviseHuge([]byte) {}

func populate(b []byte) { touch(b) }

func commitPages([]byte, int, int) {}
