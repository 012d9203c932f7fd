package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/world/lab"
)

// partOf is a part of a sweep or a hunt, such as 3/100.
type partOf struct{ part, parts int }

// UnmarshalText parses i/n.
func (p *partOf) UnmarshalText(text []byte) (err error) {
	p.part, p.parts, err = lab.ParsePart(string(text))
	return err
}

// refuseParts refuses flags that do not apply to parts of a sweep.
func (c *labSweep) refuseParts() error {
	part := c.Part.parts > 0
	if part != (c.Journal != "") || part && c.Out+newFile(c.Join) != "" {
		return errors.New("a part writes a journal and no table; give --part and --journal " +
			"together, without --out and --join")
	}
	return nil
}

// joined joins the journals of the parts, if requested, and returns the name of the joint journal.
func (c *labSweep) joined(journal string, stderr io.Writer) (string, error) {
	f := lab.Flags{Journal: journal, Dir: c.Join}
	missing, err := f.Join()
	if err == nil && missing > 0 {
		_, err = fmt.Fprintf(stderr, "flatecs: lab: %d runs are in no journal of %s, and are "+
			"made here\n", missing, printable(c.Join))
	}
	return f.Journal, err
}
