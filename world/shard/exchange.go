package shard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// exchange sends leavers and ghosts to the neighbours, and takes theirs. A tick in which borders
// move has three rounds.
func (s *Shard) exchange(ctx context.Context, tick uint64, round uint32) (err error) {
	h := header{common: s.common(), tick: tick, round: round}
	if s.state, err = s.split.split(s.state); err != nil {
		return err
	}
	if s.wire == nil {
		return nil
	}
	s.wire.expect(tick)
	if err := s.swap(ctx, h); err != nil {
		return err
	}
	s.stats.Left += len(s.split.gone)
	s.state, err = s.split.arrive(s.state, s.bodies)
	s.stats.Arrived += s.split.arrived
	return err
}

// swap sends a message to each neighbour, and waits for theirs.
func (s *Shard) swap(ctx context.Context, h header) error {
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(s.split.borders)+1)
	took := make([]time.Duration, len(errs))
	begin := time.Now()
	for i := range s.split.borders {
		b, h := &s.split.borders[i], h
		h.to = uint32(b.shard)
		s.stats.Sent += len(b.body)
		work.Go(func() {
			if errs[i] = s.wire.send(ctx, h, b.body); errs[i] != nil {
				cancel()
			}
			took[i] = time.Since(begin)
		})
	}
	last := len(errs) - 1
	if errs[last] = s.receive(ctx, h); errs[last] != nil {
		cancel()
	}
	took[last] = time.Since(begin)
	work.Wait()
	s.stats.exchanged(took[:last], took[last], s.bodies)
	return firstOf(errs)
}

// firstOf returns an error that is not the end of a context, if there is one.
func firstOf(errs []error) (first error) {
	for _, err := range errs {
		if first == nil || err != nil && errors.Is(first, context.Canceled) {
			first = err
		}
	}
	return first
}

// receive waits for the messages of all neighbours.
func (s *Shard) receive(ctx context.Context, mine header) error {
	for i := range s.split.borders {
		b := &s.split.borders[i]
		h, body, err := s.wire.receive(ctx, b.shard, mine, &b.early)
		if err != nil {
			return err
		}
		if h.common != mine.common {
			return fmt.Errorf("%w: shards %d and %d at tick %d: resources, ticks of the world, "+
				"Seed, Partition, Radius, Border, MaxStep or Behaviour; start all shards with "+
				"the same", ErrDiffers, s.o.Shard, b.shard, mine.tick)
		}
		s.bodies[i] = body
	}
	return nil
}
