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

// A Step is a program's step, a function of the world and the input alone.
type Step = func(s world.State, input []byte) world.State

// Options are options for writing and reading. The zero Options suit worlds without Go values.
type Options struct {
	// Build names the program; "": what the go command wrote into it. A recording of another build
	// is refused, unless AnyBuild is set.
	Build    string
	AnyBuild bool

	Program  string // anything that the program needs to play again, such as its flags
	StepRate int    // steps of a second; 0: 60. Durations are counted in steps

	// Keep is the least play to keep on disk: older segments are removed, from a full world on. 0
	// keeps all.
	Keep time.Duration

	Segment time.Duration // from one world on disk to the next; 0: a minute
	Full    int           // worlds until one is not written as a difference; 0: 10
	Digests int           // steps from one digest to the next; 0: 60; -1: none between worlds
	Sync    Sync

	// Wait makes steps wait for a disk that is slower than they are, instead of ending the
	// recording: for programs that play as fast as they can.
	Wait bool

	// Save has codecs of Go values, with which no world is written as a difference; and migrations,
	// to read files of another build.
	Save save.Options
}

// Sync is how much a crash of the machine may lose. A crash of the program alone loses what was
// not handed to the operating system: the steps of a second, or of some if the disk is slower; none
// with SyncStep.
type Sync uint8

// How often a recording is synchronized with the disk.
const (
	SyncNever  Sync = iota // when the operating system does
	SyncSecond             // after the steps of a second
	SyncStep               // before each step, which waits for the disk
)

// Errors. They are wrapped, with the place in the file.
var (
	ErrDamaged = errors.New("the recording is damaged")
	ErrCut     = errors.New("the recording was cut off")
	ErrBuild   = errors.New("another build recorded this; set AnyBuild to play it nevertheless")
	ErrSlow    = errors.New("the disk is slower than the steps; record elsewhere, or set Wait")
	ErrDiffers = errors.New("the replay differs from the recording")
)

// A Head says what was recorded.
type Head struct {
	Version    int
	Build      string
	Program    string   `json:",omitempty"`
	InputBytes int      // of a step
	StepRate   int      // steps of a second
	Digests    int      // steps from one digest to the next; -1: none between worlds
	Seed       uint64   `json:",omitempty"` // of the world's random numbers
	Kinds      []string // with their fields
}

// A Note is what happened to a world that was recorded: a panic, a failure.
type Note struct {
	Frame int    // of the step that it happened in
	Tick  uint64 // before that step
	What  string // such as "panic"
	Text  string
	Stack string `json:",omitempty"`
}

// filled returns o with what is zero set.
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

// steps returns the steps of a duration, one at least.
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
