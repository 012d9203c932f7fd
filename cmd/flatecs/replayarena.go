package main

import (
	"bufio"
	"bytes"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/recording"
)

// openArena opens a recording of an arena as one of a scene, whose steps know what players did. It
// returns nil if there is another recording.
func openArena(in *bufio.Reader) (*recording.Reader, *scene.Scene, error) {
	if begin, _ := in.Peek(len(arena.Magic)); string(begin) != arena.Magic {
		return nil, nil, nil
	}
	r, err := arena.Read(in)
	if err != nil {
		return nil, nil, err
	}
	o := r.Options()
	var text bytes.Buffer
	to, err := recording.NewWriter(&text, recording.Head{
		Scene: arena.SceneName, Behaviour: r.Behaviour, Count: o.Count, Seed: o.Seed,
		Build: "its build",
	})
	if err != nil {
		return nil, nil, err
	}
	for _, d := range r.Digests {
		if err := to.Add(recording.Step{Digest: d}); err != nil {
			return nil, nil, err
		}
	}
	if err := to.Close(); err != nil {
		return nil, nil, err
	}
	from, err := recording.NewReader(&text)
	return from, r.Scene(), err
}
