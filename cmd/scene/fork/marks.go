package fork

import (
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
)

// different returns the sprites of one world that the other lacks.
func different(marks, others []render.Mark) (all []render.Mark) {
	has := map[render.Sprite]bool{}
	for _, m := range others {
		has[m.Sprite] = true
	}
	for _, m := range marks {
		if m.Text.Text == "" && !has[m.Sprite] {
			all = append(all, m)
		}
	}
	return all
}

// sameWords reports whether two frames have the same texts.
func sameWords(a, b []render.Mark) bool { return slices.Equal(words(a), words(b)) }

func words(marks []render.Mark) (all []string) {
	for _, m := range marks {
		if m.Text.Text != "" {
			all = append(all, m.Text.Text)
		}
	}
	return all
}
