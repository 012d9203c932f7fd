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

	Position layout.Field[[3]float32] // position of an object in world units
	Schedule *schedule.Schedule       // Pipeline runs a tick
	Pipeline string
	Save     save.Options // for snapshots; Codecs are used for packs, too, and Frame is the tick
	Reach    Reach        // of systems and objects

	// Populate creates the objects of a region in a new world; see Start.
	Populate func(s world.State, owns func(at [3]float32) bool) (world.State, error)

	// Seen lists the kinds of ghosts. Systems that need another kind skip ghosts.
	Seen []layout.AnyKind

	// Input returns the external input of a tick, and Apply carries it out before the tick's step.
	// The first result of Input is stored in the stream; Apply gets it again when the tick is
	// repeated.
	Input func(tick uint64) []byte
	Apply func(s world.State, input []byte) (world.State, error)

	// Charter is data that all shards must agree on, in the program's own encoding, at most 64 KiB:
	// the size of the map, say, or the flags of the command line. A shard with another charter is
	// refused.
	Charter []byte

	// Replicas is the number of servers of a cluster that store each message, 1 to 5. It never
	// lowers the number of an existing stream. 0: unchanged; 1 for new streams.
	Replicas int

	Every    int           // ticks between snapshots; 0: 100
	Holder   string        // name of the process that runs the shard; see Start
	Lease    time.Duration // a holder that is silent for longer may be replaced; 0: 3 seconds
	Patience time.Duration // limit for servers and neighbours that do not answer; 0: a minute
	Log      *slog.Logger  // nil: none
}

// Reach is the range of systems and objects, in world units.
type Reach struct {
	// Radius is how far systems look from an object. Border, if it is not 0, is a wider border in
	// which the shards show each other their objects.
	Radius, Border float32

	// MaxStep is the greatest distance that a tick takes an object from its shard's region: its
	// movement, plus for a member of a family the distance from its root. Shards check it. Regions
	// are wider than MaxStep and the border together, and [Propose] refuses others. 0: not known;
	// then [Propose] moves no borders.
	MaxStep float32
}

const (
	maxReplicas = 5        // limit of NATS for a stream
	maxCharter  = 64 << 10 // bytes
)

// border returns the width of the borders.
func (r *Reach) border() float32 { return cmp.Or(r.Border, r.Radius) }

// check sets defaults and returns an error if an option is invalid.
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
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler)).With("shard", o.Shard)
}

// checkName checks a name, which is used in subjects and stream names.
func checkName(name string) error {
	const good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	bad := func(r rune) bool { return !strings.ContainsRune(good, r) }
	if name == "" || len(name) > 100 || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("%w: Name %q; use 1 to 100 letters, digits, - and _", ErrOptions, name)
	}
	return nil
}

// checkWorld returns an error if a world lacks required kinds, or has unsuitable ones.
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

// A charter is the stored description of a simulation. It is stored once.
type charter struct {
	Shards, Every   int
	Behaviour       uint32 // of the first build
	Seed            uint64
	Border, MaxStep float32
	X, Y            axis    // initial borders; nil: the partition is the user's
	Width           float32 // of the narrowest region
	Charter         []byte  `json:",omitempty"` // of the program
}

const charterKey = "charter"

// charter returns the charter for the options.
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

// check returns an error if the options do not match the charter.
func (c charter) check(o *Options) error {
	now := o.charter()
	now.Behaviour = c.Behaviour
	if differ := c.differences(now); len(differ) > 0 {
		return fmt.Errorf("%w: simulation %s was begun with %s; start all shards with the same, "+
			"or a new simulation with another Name", ErrDiffers, o.Name, strings.Join(differ, ", "))
	}
	return nil
}

// differences describes the differences.
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

// found stores a charter if there is none, and returns the stored one.
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
