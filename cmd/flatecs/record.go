package main

import (
	"cmp"
	"encoding/json"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// A recorder writes down what was pressed, and what came of it.
type recorder struct {
	out *file.File
	to  *record.Recorder
}

// A recordedScene is what a recording says of its program: which scene was played, and how.
type recordedScene struct {
	Scene     string
	Behaviour uint32 // version of what the scene's steps do
	Count     int    // see [scene.Options]
	Supers    int
	Seed      uint64
	Variant   string
}

// A settling file takes its place once a recording has its head and then something to replay, so
// that it outlives this program. Until then one that was there before stays.
type settling struct {
	*file.File
	writes int
}

// Write implements [io.Writer].
func (s *settling) Write(b []byte) (int, error) {
	n, err := s.File.Write(b)
	if s.writes++; err == nil && s.writes == 2 {
		err = s.Settle()
	}
	return n, err
}

// newRecorder begins a recording of a play in a file.
func newRecorder(path string, play *scene.Play) (*recorder, error) {
	o := play.Options
	played, err := json.Marshal(recordedScene{
		play.Scene.Name, play.Scene.Behaviour, o.Count, o.Supers, o.Seed, o.Variant,
	})
	if err != nil {
		return nil, err
	}
	out, err := file.Create(path)
	if err != nil {
		return nil, err
	}
	to, err := record.New(&settling{File: out}, play.First, record.Options{
		Build: version(), Program: string(played), Digests: 1, Wait: true,
	})
	if err != nil {
		out.Discard()
		return nil, err
	}
	return &recorder{out, to}, nil
}

// before records the next step; r may be nil.
func (r *recorder) before(state world.State, input scene.Input) error {
	if r == nil {
		return nil
	}
	return r.to.Record(state, []byte{byte(input)})
}

// changed has the recording begin anew with the coming step, from a world that no step made; r may
// be nil.
func (r *recorder) changed() {
	if r != nil {
		r.to.Changed()
	}
}

// ended ends the recording, also after an error: what was played until then can be replayed.
func (r *recorder) ended(_ uint64, state world.State, _ error) error {
	return cmp.Or(r.to.End(state), r.out.Commit())
}
