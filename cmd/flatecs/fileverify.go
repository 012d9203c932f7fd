package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// fileVerify is the command that checks a whole save file.
type fileVerify struct {
	File string `arg:"" help:"${flatfile}"`
}

// Run loads the world, with any kinds, and prints one line.
func (c *fileVerify) Run(s streams) error {
	return withFile(c.File, func(f *save.File) error {
		state, err := loaded(f, s.err, "verifying")
		if err != nil {
			return err
		}
		defer world.Close(state)
		_, err = fmt.Fprintf(s.out, "%s: ok, tick %d, frame %d, %d game objects, %d bytes\n",
			printable(c.File), f.Tick(), f.Frame(), world.Len(state), f.Size())
		return err
	})
}

// withFile opens a save file while do runs.
func withFile(path string, do func(*save.File) error) error {
	f, err := save.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

// loaded loads the world of a file, with any kinds, and shows its progress.
func loaded(f *save.File, stderr io.Writer, what string) (world.State, error) {
	p := newProgress(stderr, what)
	state, _, err := f.Load(save.Options{Progress: p.ofBytes()})
	p.end()
	return state, err
}
