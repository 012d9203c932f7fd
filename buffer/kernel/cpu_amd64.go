//go:build !purego && !race

package kernel

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2
