//go:build freebsd || openbsd

package buffer

const noReserve = 0 // these systems do not reserve memory unless told to
