package replica

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

func TestWrongDeclarationsPanic(t *testing.T) {
	require.NotPanics(t, func() { List(title, 1, Raw()) })
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
