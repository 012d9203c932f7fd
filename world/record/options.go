package record

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/kinds"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/save"
)

// A Step is a program's step. Its result depends only on the world and the input.
type Step = func(s world.State, input []byte) world.State

// Options are options for writing and reading. The zero Options suit worlds without Go values.
type Options struct {
	// Build names the program; "": its path and version, from debug.ReadBuildInfo. A recording of
	// another build is refused, unless AnyBuild is set.
	Build    string
	AnyBuild bool

	Program  string // any description that a replay needs, such as flags
	StepRate int    // steps per second; 0: 60. Durations are counted in steps

	// Keep is the minimum duration to keep on disk: segments before the last full world of that age
	// are removed. 0 keeps everything.
	Keep time.Duration

	Segment time.Duration // between stored worlds; 0: a minute
	Full    int           // every Full-th stored world is whole, the others are deltas; 0: 10
	Digests int           // steps between digests; 0: 60; -1: only with stored worlds
	Sync    Sync

	// Wait makes steps wait for a slow disk, instead of ending the recording: for programs that run
	// as fast as they can.
	Wait bool

	// Save contains codecs of Go values and migrations. With codecs, all stored worlds are whole.
	// Migrations allow reading files of another build.
	Save save.Options
}

// Sync limits how much a crash of the machine may lose. A crash of the program alone loses the
// steps that were not handed to the operating system: one second of steps, more on a slow disk,
// none with SyncStep.
type Sync uint8

// How often a recording is synchronized with the disk.
const (
	SyncNever  Sync = iota // when the operating system decides
	SyncSecond             // after each second of steps
	SyncStep               // before each step, which waits for the disk
)

// Errors of recordings. The returned errors wrap them, with the position in the file.
var (
	ErrDamaged = errors.New("the recording is damaged")
	ErrCut     = errors.New("the recording was cut off")
	ErrBuild   = errors.New("another build recorded this; set AnyBuild to play it nevertheless")
	ErrSlow    = errors.New("the disk is slower than the steps; record elsewhere, or set Wait")
	ErrDiffers = errors.New("the replay differs from the recording")
)

// A Head describes a recording.
type Head struct {
	Version    int
	Build      string
	Program    string   `json:",omitempty"`
	InputBytes int      // per step
	StepRate   int      // steps per second
	Digests    int      // steps between digests; -1: only with stored worlds
	Seed       uint64   `json:",omitempty"` // of the world's random numbers
	Kinds      []string // with their fields
}

// A Note describes an event during a recording, such as a panic.
type Note struct {
	Frame int    // the step during which it happened
	Tick  uint64 // before that step
	What  string // such as "panic"
	Text  string
	Stack string `json:",omitempty"`
}

// size returns about how many bytes a note takes in memory.
func (n *Note) size() int { return 64 + len(n.What) + len(n.Text) + len(n.Stack) }

// filled returns o with defaults in place of zeros.
func (o Options) filled() Options {
	if o.StepRate < 0 || o.Keep < 0 || o.Segment < 0 || o.Full < 0 || o.Digests < -1 {
		program.Refuse(fmt.Sprintf("record: Options %+v: a number is negative; 0 is the usual "+
			"one", o))
	}
	if info, ok := debug.ReadBuildInfo(); ok && o.Build == "" {
		o.Build = info.Path + " " + info.Main.Version
	}
	o.Build, o.StepRate = cmp.Or(o.Build, "unknown"), cmp.Or(o.StepRate, 60)
	o.Segment = cmp.Or(o.Segment, time.Minute)
	o.Full, o.Digests = cmp.Or(o.Full, 10), cmp.Or(o.Digests, 60)
	return o
}

// steps returns a duration in steps, at least 1.
func (o *Options) steps(d time.Duration) int {
	return int(min(max(d.Seconds()*float64(o.StepRate), 1), maxFrame))
}

// headOf returns the head of a recording of a world.
func (o *Options) headOf(s world.State, inputBytes int) Head {
	h := Head{
		Version: version, Build: o.Build, Program: o.Program, InputBytes: inputBytes,
		StepRate: o.StepRate, Digests: o.Digests, Seed: world.CountsOf(s).Seed,
	}
	shape := tool.ShapeOf(s)
	for _, k := range kinds.Of(&shape).Kinds {
		words := []string{k.Name}
		for _, f := range k.Fields {
			words = append(words, f.Name+":"+f.Shape())
		}
		h.Kinds = append(h.Kinds, strings.Join(words, " "))
	}
	return h
}
