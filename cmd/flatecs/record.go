package main

import (
	"os"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/recording"
	"github.com/flatecs/flatecs/world"
)

// A recorder is a watcher that writes down what was pressed, and what came of it.
type recorder struct {
	file *os.File
	to   *recording.Writer
}

// newRecorder begins a recording of a play in a file.
func newRecorder(path string, play *scene.Play) (*recorder, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	to, err := recording.NewWriter(file, recording.HeadOf(play, version()))
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &recorder{file, to}, nil
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
	err := r.to.Close()
	if closeErr := r.file.Close(); err == nil {
		err = closeErr
	}
	return err
}
