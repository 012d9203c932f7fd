package main

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// fileVerify is the command that checks all of a save file.
type fileVerify struct {
	File string `arg:"" help:"${flatfile}" type:"path"`
}

// Run loads the world, whatever its kinds, and prints one line.
func (c *fileVerify) Run(s streams) (err error) {
	f, err := save.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	p := newProgress(s.err, "verifying")
	state, _, err := f.Load(save.Options{Progress: p.ofBytes()})
	p.end()
	if err != nil {
		return err
	}
	defer world.Close(state)
	_, err = fmt.Fprintf(s.out, "%s: ok, tick %d, %d game objects, %d bytes\n", printable(c.File),
		f.Tick(), world.Live(state), f.Size())
	return err
}
