package shard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

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
		Seed: o.Counts.Seed, Border: o.border(), MaxStep: o.MaxStep,
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
