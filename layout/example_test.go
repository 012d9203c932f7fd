package layout_test

import (
	"fmt"

	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A field of half precision takes half the bytes of float32, and its column is a []float16.Float16.
func ExampleNewField_half() {
	exact := layout.NewField[float32]("offset", 3, 0)
	half := layout.NewField("offset", 3, float16.Fromfloat32(0.5))

	const rows = 1024
	exacts, err := manager.New(layout.NewKind("exact", exact), rows, rows)
	if err != nil {
		fmt.Println(err)
		return
	}
	halves, err := manager.New(layout.NewKind("half", half), rows, rows)
	if err != nil {
		fmt.Println(err)
		return
	}
	column := manager.Column(halves, half) // []float16.Float16, in place
	column[1] = float16.Fromfloat32(-1.75)

	fmt.Println("float32:", len(exacts.Buffer()), "bytes")
	fmt.Println("float16:", len(halves.Buffer()), "bytes of", half.Spec().Type)
	fmt.Println(column[0].Float32(), column[1].Float32(), column[2].Float32())
	// Output:
	// float32: 12288 bytes
	// float16: 6144 bytes of uint16
	// 0.5 -1.75 0.5
}
