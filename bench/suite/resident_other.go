//go:build !linux

package suite

// resident is what is held, where the system is not asked.
func resident(w World) uint64 { return heldBy(w) }
