package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/flatecs/flatecs/world/shard"
)

// A result is what a shard says at its end.
type result struct {
	sum            uint64
	objects        int
	ticks, left    int
	step, exchange time.Duration // per tick
	bytes          int           // per tick
}

const resultLine = "result sum=%x objects=%d ticks=%d left=%d step=%d exchange=%d bytes=%d"

func (r *result) line() string {
	return fmt.Sprintf(resultLine, r.sum, r.objects, r.ticks, r.left, r.step, r.exchange, r.bytes)
}

func (r *result) parse(line string) error {
	_, err := fmt.Sscanf(line, resultLine, &r.sum, &r.objects, &r.ticks, &r.left, &r.step,
		&r.exchange, &r.bytes)
	return err
}

func (f *joinFlags) run(ctx context.Context, in io.Reader, out io.Writer) error {
	if f.Attached {
		ctx = attached(ctx, in)
	}
	nc, err := shard.Connect(shard.Server{URL: f.URL})
	if err != nil {
		return err
	}
	defer nc.Close()
	o, err := f.options(f.Shard)
	if err != nil {
		return err
	}
	defer o.Schedule.Close()
	o.Holder = f.Holder
	if !f.Attached {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	s, err := shard.Start(ctx, nc, o)
	if err != nil {
		return err
	}
	defer s.Close()
	tell := func(uint64) error { return nil }
	if f.Attached {
		tell = func(tick uint64) error { _, err := fmt.Fprintln(out, "tick", tick); return err }
	}
	r, err := play(ctx, s, f.Ticks, tell)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, r.line())
	return err
}

// play steps to the last tick, and returns what there is then.
func play(
	ctx context.Context, s *shard.Shard, ticks uint64, tell func(uint64) error,
) (result, error) {
	for s.Tick() < ticks {
		if err := s.Step(ctx); err != nil {
			return result{}, err
		}
		if err := tell(s.Tick()); err != nil {
			return result{}, err
		}
	}
	sum, objects, err := s.Digest()
	st := s.Stats()
	n := max(st.Ticks, 1)
	return result{
		sum: sum, objects: objects, ticks: st.Ticks, left: st.Left, bytes: st.Bytes / n,
		step: st.Step / time.Duration(n), exchange: st.Exchange / time.Duration(n),
	}, err
}
