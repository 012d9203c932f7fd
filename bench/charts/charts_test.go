package charts

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eyes are how colors look to those who see no red, no green, or no blue: the matrices for linear
// red, green and blue of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", 2009, at severity 1.
var eyes = map[string][3][3]float64{
	"all": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no red": {
		{0.152286, 1.052583, -0.204868},
		{0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998},
	},
	"no green": {
		{0.367322, 0.860646, -0.227968},
		{0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881},
	},
	"no blue": {
		{1.255528, -0.076749, -0.178779},
		{-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900},
	},
}

// seen returns a color as eyes see it, in CIE 1976 L*a*b*, in which distances are differences.
func seen(c color.RGBA, eye [3][3]float64) (lab [3]float64) {
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	times := func(m [3][3]float64, v [3]float64) (r [3]float64) {
		for i := range m {
			for j := range v {
				r[i] += m[i][j] * v[j]
			}
		}
		return r
	}
	light := times(eye, [3]float64{linear(c.R), linear(c.G), linear(c.B)})
	for i := range light {
		light[i] = min(max(light[i], 0), 1)
	}
	xyz := times([3][3]float64{
		{0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047},
		{0.2126, 0.7152, 0.0722},
		{0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883},
	}, light)
	for i, v := range xyz {
		if xyz[i] = (24389.0/27*v + 16) / 116; v > 216.0/24389 {
			xyz[i] = math.Cbrt(v)
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// Two libraries differ in color to all eyes, and in shape.
func TestLibrariesAreToldApart(t *testing.T) {
	const differ = 15 // 1 is just seen by eyes that see all, side by side
	peers := slices.Sorted(maps.Keys(Styles))
	for i, a := range peers {
		require.NotNil(t, Styles[a].Shape, a)
		for _, b := range peers[:i] {
			assert.NotEqual(t, reflect.TypeOf(Styles[a].Shape), reflect.TypeOf(Styles[b].Shape), "%s, %s", a, b)
			for name, eye := range eyes {
				x, y := seen(Styles[a].Color, eye), seen(Styles[b].Color, eye)
				far := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
				assert.Greater(t, far, float64(differ), "%s and %s to eyes that see %s", a, b, name)
			}
		}
	}
}

var painted = regexp.MustCompile(`(?:stroke|fill):#([0-9A-F]{6})`)

// The charts of this tree say how they are to be read, and are in these colors.
func TestChartsOfThisTree(t *testing.T) {
	files, err := filepath.Glob("../../docs/compare/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	known := []string{"FFFFFF"}
	for _, s := range Styles {
		known = append(known, hex(s.Color))
	}
	for _, c := range []color.RGBA{Ink, Faint} {
		known = append(known, hex(c))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(text), "lower is better; both scales are logarithmic"), name)
		for _, m := range painted.FindAllStringSubmatch(string(text), -1) {
			assert.Contains(t, known, m[1], name)
		}
	}
}

func hex(c color.RGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }

func TestTicksAreShort(t *testing.T) {
	assert.Equal(t, "256k", short(256_000))
	assert.Equal(t, "1M", short(1e6))
}
