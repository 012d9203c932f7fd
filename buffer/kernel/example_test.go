package kernel_test

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
)

func ExampleAxpy() {
	position, velocity := []float32{1, 2, 3}, []float32{10, 0, -10}
	kernel.Axpy(position, 0.5, velocity)
	fmt.Println(position)
	// Output: [6 2 -2]
}

// The difference of two copies, applied to each of them.
func ExampleXor() {
	before, after := []byte("hero at 1"), []byte("hero at 3")
	delta := append([]byte(nil), after...)
	kernel.Xor(delta, before)
	fmt.Printf("%x\n", delta)
	kernel.Xor(before, delta)
	fmt.Println(string(before))
	// Output:
	// 000000000000000002
	// hero at 3
}

// A position of float16 has half the bytes, and three digits.
func ExamplePackFloat16() {
	small, back := make([]uint16, 3), make([]float32, 3)
	kernel.PackFloat16(small, []float32{0.5, 1000.2, 1e6})
	kernel.UnpackFloat16(back, small)
	fmt.Println(back)
	// Output: [0.5 1000 +Inf]
}

func ExampleGather() {
	positions := [][3]float32{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}
	chosen, rows := make([][3]float32, 2), []uint32{2, 0}
	kernel.Gather(chosen, positions, rows)
	kernel.Scatter(positions, [][3]float32{{9, 9, 9}, chosen[1]}, rows)
	fmt.Println(chosen, positions)
	// Output: [[2 2 2] [0 0 0]] [[0 0 0] [1 1 1] [9 9 9]]
}
