package shard

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flatecs/flatecs/world"
)

// begin makes or restores the world.
func (s *Shard) begin(ctx context.Context, nc *nats.Conn) error {
	restored := false
	if nc != nil {
		err := s.connect(ctx, nc)
		if err != nil {
			return err
		}
		if restored, err = s.restore(ctx); err != nil {
			return err
		}
	}
	if !restored {
		return s.create(ctx)
	}
	s.o.Log.Info("restored", "tick", s.tick)
	return s.inspect()
}

// restore reads the last snapshot, if there is one, and what was in force.
func (s *Shard) restore(ctx context.Context) (ok bool, err error) {
	var f force
	s.state, s.tick, f, err = s.keeper.restore(ctx, s.o.Counts)
	if err != nil {
		return false, err
	}
	if ok = s.tick != 0; ok {
		s.force = f
	}
	if err := s.checkBuild(); err != nil {
		return ok, err
	}
	if s.force.X != nil || s.force.Y != nil {
		s.setBorders(s.force.X, s.force.Y)
		s.use(&s.o)
	}
	return ok, nil
}

// create makes the world of tick 0.
func (s *Shard) create(ctx context.Context) (err error) {
	if s.state, err = world.CreateState(s.o.Counts); err != nil {
		return err
	}
	if err := s.inspect(); err != nil {
		return err
	}
	owns := func(at [3]float32) bool { return s.o.Partition.Of(at) == s.o.Shard }
	if s.state, err = s.o.Populate(s.state, owns); err != nil {
		return fmt.Errorf("shard: populating: %w", err)
	}
	return s.exchange(ctx, 0, 0)
}

// inspect checks the kinds of the world and finds what the shard has to know of it.
func (s *Shard) inspect() error {
	if err := s.o.checkWorld(s.state); err != nil {
		return err
	}
	s.parts = s.resources()
	s.split.families.open(s.state)
	return nil
}

// connect opens the stream and the stores, and takes the lease.
func (s *Shard) connect(ctx context.Context, nc *nats.Conn) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	l := &lease{
		key: fmt.Sprintf("lease.%d", s.o.Shard), length: s.o.Lease, patience: s.o.Patience,
	}
	s.wire = &wire{
		name: s.o.Name, shard: s.o.Shard, js: js, lease: l, patience: s.o.Patience,
	}
	at := &streams{js: js, name: s.o.Name, replicas: s.o.Replicas, log: s.o.Log}
	var store jetstream.ObjectStore
	err = retry(ctx, s.o.Patience, "open the stores", func(ctx context.Context) (err error) {
		if l.kv, err = at.keys(ctx); err == nil {
			store, err = at.store(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.begun(ctx, l.kv); err != nil {
		return err
	}
	if err := l.acquire(ctx, s.holder()); err != nil {
		return err
	}
	s.o.Log.Info("holds the lease", "epoch", l.number())
	s.keeper = &keeper{
		store: store, wire: s.wire, neighbours: s.o.Partition.Neighbours(s.o.Shard),
		shards:  s.o.Partition.Shards,
		options: s.o.Save, log: s.o.Log, busy: make(chan struct{}, 1),
	}
	return s.wire.open(ctx, nc, at)
}

// begun compares the options with those that the simulation was begun with.
func (s *Shard) begun(ctx context.Context, kv jetstream.KeyValue) error {
	return retry(ctx, s.o.Patience, "read the charter", func(ctx context.Context) error {
		c, err := found(ctx, kv, s.o.charter())
		if err != nil {
			return err
		}
		if err := c.check(&s.o); err != nil {
			return finalError{err}
		}
		s.force.Behaviour = c.Behaviour
		return nil
	})
}

// holder returns the name of who runs the shard.
func (s *Shard) holder() string {
	if s.o.Holder != "" {
		return s.o.Holder
	}
	return "process " + rand.Text()
}
