package layout_test

import (
	"fmt"

	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A field of half precision takes half the bytes of float32, and its values are of type float16.Float16.
func ExampleNewField_half() {
	exact := layout.NewField[[2]float32]("offset")
	half := layout.NewField("offset", [2]float16.Float16{float16.Fromfloat32(0.5), float16.Fromfloat32(1)})

	const rows = 1024
	a, err := manager.NewArena(manager.Sizes{Objects: rows, Kinds: layout.Kinds(
		layout.NewKind("exact", exact).Count(rows), layout.NewKind("half", half).Count(rows),
	)})
	if err != nil {
		fmt.Println(err)
		return
	}
	exacts, halves := &a.Managers[0], &a.Managers[1]
	column := manager.Column(halves, half) // [][2]float16.Float16, in place
	column[0][1] = float16.Fromfloat32(-1.75)

	fmt.Println("float32:", len(exacts.Buffer()), "bytes")
	fmt.Println("float16:", len(halves.Buffer()), "bytes of", half.Spec().Parts[0].Type)
	fmt.Println(column[0][0].Float32(), column[0][1].Float32(), column[1][1].Float32())
	// Output:
	// float32: 8192 bytes
	// float16: 4096 bytes of float16
	// 0.5 -1.75 1
}
