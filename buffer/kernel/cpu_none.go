//go:build !amd64 || purego || race

package kernel

const (
	hasAVX2 = false
	hasF16C = false
)
