// Package gallery lists the scenes.
package gallery

import (
	"fmt"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/boids"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/scene/heroes"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
)

// All returns the scenes, in the order in which to show them.
func All() []*scene.Scene {
	return []*scene.Scene{heroes.Scene, boids.Scene, tanks.Scene, cubes.Scene, flappy.Scene}
}

// ByName returns a scene by name, or an error that lists the names and wraps [scene.ErrOptions].
func ByName(name string) (*scene.Scene, error) {
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, scene.RefusedError(
		fmt.Sprintf("there is no scene %q; %s", name, scene.Suggest(name, Names())))
}

// Names returns the names of the scenes, in their order.
func Names() (names []string) {
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}
