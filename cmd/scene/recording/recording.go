// Package recording writes down what was played, so that it can be played again: a scene, its
// options, and step by step the input and the digest of the world after it. It is text, line by
// line:
//
//	flatecs recording 1              the format and its version
//	scene flappy                     one line for each of these, in this order
//	behaviour 1                      version of what the scene's steps do
//	count 0
//	supers 0
//	seed 7
//	variant                          its name, or nothing
//	build flatecs v0.1.0 go1.26      who recorded it, for people to read
//	1 00 0123456789abcdef            step, its input in hexadecimal, digest after it
//	2 01 fedcba9876543210
//	end 2                            steps; a recording without this line was cut off
//
// Numbers are decimal without leading zeros, where nothing else is said; a line ends in a line
// feed. Readers take a byte order mark and other ends of lines, such as editors leave, and nothing
// else: what they are given may come from anywhere.
package recording

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/flatecs/flatecs/cmd/scene"
)

// Head is what a recording begins with.
type Head struct {
	Scene     string
	Behaviour uint32
	Count     int // see [scene.Options]
	Supers    int
	Seed      uint64
	Variant   string
	Build     string
}

// A Step is what happened in one.
type Step struct {
	Input  scene.Input
	Digest uint64 // of the world after it
}

// MaxObjects is the largest count that a recording may name.
const MaxObjects = 1 << 24

const (
	magic      = "flatecs recording 1"
	maxLine    = 256 // bytes of a line, with its line feed
	lineOfStep = "%d %02x %016x\n"
)

// Errors of readers and writers. They are wrapped, with the number of the line and the fix.
var (
	ErrFormat = errors.New("not a recording")
	ErrCut    = errors.New("the recording was cut off")
)

// HeadOf returns the head of a recording of a play.
func HeadOf(p *scene.Play, build string) Head {
	o := p.Options
	return Head{
		p.Scene.Name, p.Scene.Behaviour, o.Count, o.Supers, o.Seed, o.Variant, build,
	}
}

// A field is a line of a head, and where its value is.
type field struct {
	name  string
	value any // a pointer
}

// fields returns the lines of a head, in their order.
func (h *Head) fields() []field {
	return []field{
		{"scene", &h.Scene},
		{"behaviour", &h.Behaviour},
		{"count", &h.Count},
		{"supers", &h.Supers},
		{"seed", &h.Seed},
		{"variant", &h.Variant},
		{"build", &h.Build},
	}
}

// text returns the value as it is written.
func (f *field) text() string { return fmt.Sprint(reflect.ValueOf(f.value).Elem()) }

// set reads the value, and reports whether it is one, written as values are.
func (f *field) set(text string) bool {
	if dst, ok := f.value.(*string); ok {
		*dst = text
		return strings.Map(printable, text) == text
	}
	_, err := fmt.Sscan(text, f.value)
	if n, ok := f.value.(*int); ok && (*n < 0 || *n > MaxObjects) {
		return false
	}
	return err == nil && f.text() == text
}

// Options returns the options that the scene was opened with.
func (h *Head) Options() scene.Options {
	return scene.Options{Count: h.Count, Supers: h.Supers, Seed: h.Seed, Variant: h.Variant}
}
