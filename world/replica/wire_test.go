package replica

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

func TestWires(t *testing.T) {
	for _, v := range []float32{0, 1, 499.99, 512, 33.333} {
		w := Fixed(0, 512, 16)
		require.InDelta(t, v, w.value(w.lane(v)), 512/65535.*0.51)
		w = Half()
		require.InEpsilon(t, v+1, w.value(w.lane(v))+1, 0.001)
	}
	w := Fixed(-1, 1, 8)
	require.EqualValues(t, -1, w.value(w.lane(float32(math.NaN()))))
	require.EqualValues(t, 1, w.value(w.lane(float32(math.Inf(1)))))
	for _, bits := range []int{8, 16} {
		w := Angle(bits)
		for v := float32(-9); v < 9; v += 0.37 {
			got := float64(w.value(w.lane(v)))
			require.GreaterOrEqual(t, got, -math.Pi-1e-6)
			require.Less(t, got, math.Pi)
			require.InDelta(t, 1, math.Cos(got-float64(v)), 0.0002)
		}
		require.Zero(t, w.lane(float32(math.NaN())))
		a, b := w.lane(3.1), w.lane(-3.1)
		require.InDelta(t, math.Pi, math.Abs(float64(w.between(a, b, 0.5))), 0.03, "the shorter way")
	}
}

func TestWrongDeclarationsPanic(t *testing.T) {
	for text, f := range map[string]func(){
		"replica: Fixed of 12 bits":    func() { Fixed(0, 1, 12) },
		"replica: Fixed from 1 to 1":   func() { Fixed(1, 1, 8) },
		"replica: Every(0)":            func() { Raw().Every(0) },
		"are for float32, use Raw":     func() { NewSchema(shownAs, Field(hp, Half())) },
		"at most 4 lanes of 16 bits":   func() { NewSchema(shownAs, Field(heading, Angle(8).Delta())) },
		"is Raw and Smooth":            func() { NewSchema(shownAs, Field(heading, Raw().Smooth())) },
		"shield is Once; add its ":     func() { NewSchema(shownAs, Field(shield, Raw().Once())) },
		"hollow, which has no kinds":   func() { NewSchema(world.NewRecipe("hollow"), Field(hp, Raw())) },
		"has references,":              func() { NewSchema(shownAs, Field(aim, Raw())) },
		"the zero Part":                func() { NewSchema(shownAs, Part{}) },
		"Mark of the zero Kind":        func() { Mark(layout.Kind{}) },
		"replica: this Schema is nil":  func() { (*Schema)(nil).Hash() },
		"Options.Clients is 0":         func() { NewServer(world.State{}, seen, Options{}) },
		"replica: this View is over":   func() { new(View).State() },
		"replica: this Mirror is nil":  func() { (*Mirror)(nil).Tick() },
		"replica: this Conn is nil":    func() { new(Conn).Stats() },
		"replica: this Server is nil":  func() { new(Server).Joined() },
		"this Predictor is nil":        func() { new(Predictor).Again() },
		"List of at most 0 elements":   func() { List(title, 0, Raw()) },
		"replica: List of at most 1":   func() { List(nil, 1, Raw()) },
		"is a list, with Delta or":     func() { NewSchema(shownAs, List(path, 4, Fixed(0, 1, 16).Delta())) },
		"title is a text; have it Raw": func() { NewSchema(shownAs, List(title, 4, Half())) },
		"bag is of What uint8":         func() { NewSchema(shownAs, List(bag, 4, Half())) },
		"up to 1201 bytes":             func() { NewSchema(shownAs, List(title, 1199, Raw())) },
		"and 0 kinds beside the recip": func() { NewSchema(shownAs, many()...) },
	} {
		func() {
			defer func() { require.Contains(t, recover(), text) }()
			f()
		}()
	}
}

func many() (parts []Part) {
	for range 40 {
		parts = append(parts, Field(hp, Raw()))
	}
	return parts
}
