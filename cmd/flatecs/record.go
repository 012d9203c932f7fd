package main

import (
	"cmp"
	"encoding/json"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// A recorder records inputs and digests.
type recorder struct {
	out *file.File
	to  *record.Recorder
}

// A recordedScene is the description of a scene in a recording.
type recordedScene struct {
	Scene     string
	Behaviour uint32 // version of the scene's steps
	Count     int    // see [scene.Options]
	Supers    int
	Seed      uint64
	Variant   string
}

// A settling is a temporary file that replaces its target once the recording has a head and
// something to replay. Until then an existing file stays.
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

// changed starts a new segment of the recording at the next step, from a world that no step
// created; r may be nil.
func (r *recorder) changed() {
	if r != nil {
		r.to.Changed()
	}
}

// ended ends the recording, also after an error: the steps so far can be replayed.
func (r *recorder) ended(_ uint64, state world.State, _ error) error {
	return cmp.Or(r.to.End(state), r.out.Commit())
}
