//go:build darwin || netbsd || dragonfly

package buffer

import "golang.org/x/sys/unix"

const noReserve = unix.MAP_NORESERVE
