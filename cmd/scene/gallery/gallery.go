// Package gallery lists the scenes.
package gallery

import (
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/scene/heroes"
)

// All returns the scenes, by name.
func All() []*scene.Scene { return []*scene.Scene{cubes.Scene, flappy.Scene, heroes.Scene} }

// ByName returns the scene of a name, or an error that lists the names and wraps
// [scene.ErrOptions].
func ByName(name string) (*scene.Scene, error) {
	var names []string
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("gallery: %q: %w; there are %s",
		name, scene.ErrOptions, strings.Join(names, ", "))
}
