package world

import (
	"context"
	"time"
)

// Clock returns a clock for [TimedLoop]: the time since this call by now, which is usually time.Now
// and then never runs backwards.
func Clock(now func() time.Time) func() time.Duration {
	if now == nil {
		refuse("Clock without a function that tells the time; give it time.Now")
	}
	begin := now()
	return func() time.Duration { return now().Sub(begin) }
}

// Await returns a wait for [TimedLoop]: until the next value of ticks, such as those of a
// time.Ticker, or the end of ctx.
func Await(ticks <-chan time.Time) func(ctx context.Context) {
	return func(ctx context.Context) {
		select {
		case <-ticks:
		case <-ctx.Done():
		}
	}
}
