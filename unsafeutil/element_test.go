package unsafeutil_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/unsafeutil"
)

func TestElementOf(t *testing.T) {
	v := struct {
		A, B float32
		C    float64
	}{1, 2, 3}
	assert.InDelta(t, 2, unsafeutil.ElementOf[float32](&v, 1), 0)
	assert.InDelta(t, 3, unsafeutil.ElementOf[float64](&v, 1), 0)
	const outside = "unsafeutil: this element is not inside the value, or not aligned"
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float64](&v, 2) })
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float32](&v, 1<<31) })
	short := [4]uint16{}
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float32](&short, 0) })
	narrow := float32(0)
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float64](&narrow, 0) })
}
