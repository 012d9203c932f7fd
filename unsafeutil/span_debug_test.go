//go:build ecsdebug

package unsafeutil_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/unsafeutil"
)

func TestSpanIsChecked(t *testing.T) {
	base := unsafeutil.BaseOf(unsafeutil.Aligned(64, 64))
	for _, c := range []struct {
		name  string
		lo, n int
		size  string
	}{
		{"before the column", -1, 1, "values -1 to 0"},
		{"after the column", 16, 1, "values 16 to 17"},
		{"across its end", 10, 7, "values 10 to 17"},
		{"negative", 3, -1, "values 3 to 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.PanicsWithValue(t, "flatecs: "+c.size+" of 4 bytes each are outside the "+
				"column's 64 bytes", func() { unsafeutil.Span[float32](base, c.lo, c.n) })
		})
	}
	assert.NotPanics(t, func() { unsafeutil.Span[float32](base, 0, 16) })
	assert.NotPanics(t, func() { unsafeutil.Span[float32](base, 16, 0) })
	assert.Panics(t, func() { unsafeutil.Span[float64](base, 0, 9) }, "counted in values of T")
}
