//go:build !linux && !wasm

package buffer

import "math"

// Memory returns the bytes that this machine can address.
func Memory() int64 { return min(MaxSize, math.MaxInt) }

// addressable always returns true; the system decides.
func addressable(int) bool { return true }
