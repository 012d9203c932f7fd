package loop

import (
	"context"
	"time"

	"github.com/flatecs/flatecs/world/internal/program"
)

// Clock returns a clock for [Timed]: the time since this call, by now, which is usually time.Now.
// With time.Now it never runs backwards.
func Clock(now func() time.Time) func() time.Duration {
	if now == nil {
		program.Refuse("loop: Clock without a function that tells the time; give it time.Now")
	}
	begin := now()
	return func() time.Duration { return now().Sub(begin) }
}

// Await returns a wait for [Timed]: it blocks until the next value of ticks, such as those of a
// time.Ticker, or until ctx ends.
func Await(ticks <-chan time.Time) func(ctx context.Context) {
	return func(ctx context.Context) {
		select {
		case <-ticks:
		case <-ctx.Done():
		}
	}
}
