//go:build !linux && !wasm

package buffer

import "math"

func adviseHuge([]byte) {}

// memory returns the bytes that this machine can address.
func memory() int64 { return min(MaxSize, math.MaxInt) }
