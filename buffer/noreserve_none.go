//go:build freebsd || openbsd

package buffer

const noReserve = 0 // these reserve nothing without being told
