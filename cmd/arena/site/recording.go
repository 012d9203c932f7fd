//go:build !js

package site

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// record starts a recording in the next free folder of Options.Record: 0000, 0001, …, because each
// program that continues the world makes its own recording.
func (r *Room) record() (err error) {
	if r.options.Record == "" {
		return nil
	}
	o := record.Options{
		Program:  fmt.Sprintf("arena players=%d seed=%d", r.options.Players, r.options.Seed),
		StepRate: arena.Ticks, Keep: r.options.Keep,
	}
	for n := 0; ; n++ {
		to := filepath.Join(r.options.Record, fmt.Sprintf("%04d", n))
		if r.recorder, err = record.Create(to, r.host.State(), o); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return err
	}
	r.host.Record(func(s world.State, input []byte) {
		if err := r.recorder.Record(s, input); err != nil {
			r.options.Warn(err) // the game continues
		}
	})
	return nil
}

// fail writes the reason for the end of the game into its recording, if any.
func (r *Room) fail(err error) error {
	if r.recorder == nil {
		return err
	}
	return errors.Join(err, r.recorder.Note(record.Note{
		Frame: r.recorder.Frame() - 1, Tick: world.Tick(r.host.State()), What: "failure",
		Text: err.Error(),
	}))
}
