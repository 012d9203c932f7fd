package fork

import (
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
)

// A list is a canvas that keeps the sprites and texts of one frame.
type list struct {
	render.Ledger
	render.Queue
}

// DrawSprite keeps a sprite.
func (l *list) DrawSprite(s render.Sprite) { l.Sprite(s) }

// DrawText keeps a text.
func (l *list) DrawText(t render.Text) { l.Text(t) }

// different returns the sprites of one world that another does not have.
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
