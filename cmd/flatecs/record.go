package main

import (
	"cmp"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/recording"
	"github.com/flatecs/flatecs/world"
)

// A recorder is a watcher that writes down what was pressed, and what came of it.
type recorder struct {
	out *file.File
	to  *recording.Writer
}

// newRecorder begins a recording of a play in a file.
func newRecorder(path string, play *scene.Play) (*recorder, error) {
	out, err := file.Stream(path)
	if err != nil {
		return nil, err
	}
	to, err := recording.NewWriter(out, recording.HeadOf(play, version()))
	if err != nil {
		out.Discard()
		return nil, err
	}
	return &recorder{out, to}, nil
}

// record begins a recording of the run in a file.
func (r *sceneRun) record(path string) error {
	to, err := newRecorder(path, r.Play)
	if err != nil {
		return err
	}
	r.recorded = true
	r.watchers = append(r.watchers, to)
	return nil
}

func (r *recorder) stepped(
	_ uint64, input scene.Input, state world.State,
) (world.State, error) {
	return state, r.to.Add(recording.Step{Input: input, Digest: world.Digest(state)})
}

// ended ends the recording, also after an error: what was played until then can be replayed.
func (r *recorder) ended(uint64, world.State, error) error {
	return cmp.Or(r.to.Close(), r.out.Commit())
}
