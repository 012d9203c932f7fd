package shard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
)

// Options are the options of a shard. All shards of a simulation need the same ones, except for
// Shard, Holder, Counts and Log.
type Options struct {
	Name      string // of the simulation on the server: letters, digits, - and _
	Shard     int    // number of this shard in Partition
	Partition Partition

	// Counts are room for the objects of the region and for ghosts, with Globals and mark Ghost.
	Counts world.Counts

	Position layout.Field[[3]float32] // where an object is, in world units
	Schedule *schedule.Schedule       // runs a tick by Pipeline
	Pipeline string
	Save     save.Options // of snapshots; Codecs are those of packs, too, and Frame is the tick
	Reach    Reach        // of systems and objects

	// Populate creates the objects of a region in a new world; see Start.
	Populate func(s world.State, owns func(at [3]float32) bool) (world.State, error)

	// Seen lists the kinds that a ghost has. Systems that need another kind pass ghosts over.
	Seen []layout.AnyKind

	// Input returns the outside's input of a tick, and Apply carries it out before the tick's step.
	// What Input returned first is in the stream, and Apply gets that when a tick is repeated.
	Input func(tick uint64) []byte
	Apply func(s world.State, input []byte) (world.State, error)

	// Charter is what the program begins with, in its own bytes, at most 64 KiB: the size of the
	// map, say, or the flags of the command line. A shard with another one is refused.
	Charter []byte

	// Replicas is on how many servers of a cluster each message is kept, 1 to 5. Streams that are
	// kept on more stay there. 0: as it is; 1 for new streams.
	Replicas int

	Every    int           // ticks from one snapshot to the next; 0: 100
	Holder   string        // name of who runs the shard; see Start
	Lease    time.Duration // after which a silent holder may be replaced; 0: 3 seconds
	Patience time.Duration // for servers and neighbours that do not answer; 0: a minute
	Log      *slog.Logger  // nil: none
}

// Reach is how far things reach, in world units.
type Reach struct {
	// Radius is how far systems look from an object, and Border, if it is not 0, a wider border in
	// which the shards show each other their objects.
	Radius, Border float32

	// MaxStep is how far a tick takes an object from its shard's region at most: as far as it
	// moves, and a member of a family as far as it is from its root, too. Shards check it. Regions
	// are wider than MaxStep and the border together, and [Propose] refuses others. 0: not known;
	// then [Propose] moves no borders.
	MaxStep float32
}

const (
	maxReplicas = 5        // of a stream of NATS
	maxCharter  = 64 << 10 // bytes
)

// border returns how wide the borders are.
func (r *Reach) border() float32 { return cmp.Or(r.Border, r.Radius) }

// check sets the defaults and returns an error if the options do not fit.
func (o *Options) check() error {
	if err := o.Partition.check(o.Shard); err != nil {
		return err
	}
	if o.Schedule == nil || o.Populate == nil || o.Every < 0 ||
		(o.Input == nil) != (o.Apply == nil) {
		return fmt.Errorf("%w: a shard needs a Schedule and Populate, an Every from 0, and Input "+
			"and Apply both or none", ErrOptions)
	}
	if o.Replicas < 0 || o.Replicas > maxReplicas || len(o.Charter) > maxCharter {
		return fmt.Errorf("%w: Replicas %d and a Charter of %d bytes; a stream has 1 to %d "+
			"replicas, and a Charter at most %d bytes: give the digest of a longer one",
			ErrOptions, o.Replicas, len(o.Charter), maxReplicas, maxCharter)
	}
	if err := checkName(o.Name); err != nil {
		return err
	}
	r := &o.Reach
	if !(r.Radius >= 0) || math.IsInf(float64(r.Radius), 0) || !(r.border() >= r.Radius) {
		return fmt.Errorf("%w: Border %g for a Radius of %g; make it as wide as systems look",
			ErrNarrow, r.border(), r.Radius)
	}
	if !(r.MaxStep >= 0) || math.IsInf(float64(r.MaxStep), 0) {
		return fmt.Errorf("%w: MaxStep %g; give a number from 0", ErrOptions, r.MaxStep)
	}
	if o.Partition.Shards > 1 && !(o.Partition.Width > r.border()+r.MaxStep) {
		return fmt.Errorf("%w: regions are %g wide, borders %g, and MaxStep %g; use fewer shards",
			ErrNarrow, o.Partition.Width, r.border(), r.MaxStep)
	}
	o.setDefaults()
	return nil
}

func (o *Options) setDefaults() {
	o.Every = cmp.Or(o.Every, 100)
	if o.Lease <= 0 {
		o.Lease = 3 * time.Second
	}
	if o.Patience <= 0 {
		o.Patience = time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = o.Log.With("shard", o.Shard)
}

// checkName checks a name that begins subjects and names streams.
func checkName(name string) error {
	const good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	bad := func(r rune) bool { return !strings.ContainsRune(good, r) }
	if name == "" || len(name) > 100 || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("%w: Name %q; use 1 to 100 letters, digits, - and _", ErrOptions, name)
	}
	return nil
}

// checkWorld returns an error if the kinds of a world do not fit a shard.
func (o *Options) checkWorld(s world.State) error {
	for _, k := range []layout.AnyKind{o.Position, pack.Global, Ghost} {
		if _, err := tool.NumberOf(s, k.Kind()); err != nil {
			return fmt.Errorf("%w: Counts of kind %v: %w", ErrOptions, k.Kind(), err)
		}
	}
	for _, k := range o.Seen {
		for _, f := range k.Kind().Spec().Fields {
			if len(f.Refs) > 0 || f.List != nil && len(f.List.Element.Refs) > 0 {
				return fmt.Errorf("%w: Seen lists kind %v, and ghosts do not refer; leave it out",
					ErrReferences, k.Kind())
			}
		}
	}
	for _, p := range tool.Parts(s) {
		if f := referring(&p); f != nil && !isOnObjects(s, f) && o.Partition.Shards > 1 {
			return fmt.Errorf("%w: %v is of all shards; keep a global id instead", ErrReferences, f)
		}
	}
	return nil
}

// A charter is what a simulation was begun with. It is stored once.
type charter struct {
	Shards, Every   int
	Behaviour       uint32 // of the first build
	Seed            uint64
	Border, MaxStep float32
	X, Y            axis    // borders to begin with; nil: the partition is the user's
	Width           float32 // of the narrowest region
	Charter         []byte  `json:",omitempty"` // of the program
}

const charterKey = "charter"

// charter returns that of options.
func (o *Options) charter() charter {
	c := charter{
		Shards: o.Partition.Shards, Every: o.Every, Behaviour: o.Save.Behaviour,
		Seed: o.Counts.Seed, Border: o.Reach.border(), MaxStep: o.Reach.MaxStep,
		X: o.Partition.x, Y: o.Partition.y, Width: o.Partition.Width,
	}
	if len(o.Charter) > 0 {
		c.Charter = o.Charter
	}
	return c
}

// check returns an error if options do not fit to what the simulation was begun with.
func (c charter) check(o *Options) error {
	now := o.charter()
	now.Behaviour = c.Behaviour
	if differ := c.differences(now); len(differ) > 0 {
		return fmt.Errorf("%w: simulation %s was begun with %s; start all shards with the same, "+
			"or a new simulation with another Name", ErrDiffers, o.Name, strings.Join(differ, ", "))
	}
	return nil
}

// differences lists what is not the same, in words.
func (c charter) differences(now charter) (list []string) {
	then, next := reflect.ValueOf(c), reflect.ValueOf(now)
	for i := range then.NumField() {
		a, b := then.Field(i).Interface(), next.Field(i).Interface()
		if reflect.DeepEqual(a, b) {
			continue
		}
		form := "%s %v, not %v"
		if _, ok := a.([]byte); ok {
			form = "%s %.200q, not %.200q"
		}
		list = append(list, fmt.Sprintf(form, then.Type().Field(i).Name, a, b))
	}
	return list
}

// found stores a charter if there is none, and returns the one that is stored.
func found(ctx context.Context, kv jetstream.KeyValue, c charter) (charter, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return c, finalError{fmt.Errorf("%w: %w", ErrOptions, err)}
	}
	if _, err = kv.Create(ctx, charterKey, b); !errors.Is(err, jetstream.ErrKeyExists) {
		return c, err
	}
	return readCharter(ctx, kv)
}

func readCharter(ctx context.Context, kv jetstream.KeyValue) (c charter, err error) {
	entry, err := kv.Get(ctx, charterKey)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(entry.Value(), &c); err != nil || c.Every < 1 {
		return c, finalError{fmt.Errorf("%w: %s: %q", ErrMessage, charterKey, entry.Value())}
	}
	return c, nil
}
