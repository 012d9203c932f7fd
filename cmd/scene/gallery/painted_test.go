package gallery

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// measure tells a picture by its size, and for red, green, blue and alpha each by the mean and by
// where the middle lies, in pixels.
func measure(m *image.RGBA) []any {
	size := m.Rect.Size()
	all := []any{float64(size.X), float64(size.Y)}
	for channel := range 4 {
		var sum, x, y float64
		for i := channel; i < len(m.Pix); i += 4 {
			v := float64(m.Pix[i])
			sum, x, y = sum+v, x+v*float64(i%m.Stride/4), y+v*float64(i/m.Stride)
		}
		all = append(all, sum/float64(size.X*size.Y), x/max(sum, 1), y/max(sum, 1))
	}
	return all
}

// What scenes paint is what it was, to a twentieth of a pixel: processors may fuse products with
// sums.
func TestPaintedPicturesStay(t *testing.T) {
	const path = "testdata/painted.golden"
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	var painted strings.Builder
	wants := strings.NewReader(strings.TrimSpace(string(golden)))
	for _, s := range All() {
		for n, m := range s.Look().Images {
			got := measure(m)
			format := s.Name + strings.Repeat(" %.2f", len(got)) + "\n"
			_, _ = fmt.Fprintf(&painted, format, got...)
			if *update {
				continue
			}
			var name string
			_, _ = fmt.Fscan(wants, &name)
			assert.Equal(t, s.Name, name)
			for k, value := range got {
				var want float64
				_, _ = fmt.Fscan(wants, &want)
				assert.InDelta(t, want, value, .05, "%s, picture %d, value %d", s.Name, n, k)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(painted.String()), 0o600))
		return
	}
	assert.Zero(t, wants.Len(), "pictures that are gone")
}
