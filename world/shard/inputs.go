package shard

import (
	"context"
	"fmt"
)

func (w *wire) input(tick uint64) string { return fmt.Sprintf("%s.i.%d.%d", w.name, w.shard, tick) }

// seal stores the input of a tick before its step, and returns it: that which was stored first.
func (w *wire) seal(ctx context.Context, tick uint64, input []byte) ([]byte, error) {
	if len(input) > w.limit {
		return nil, fmt.Errorf("%w: %d bytes at tick %d, and a message has %d; "+
			"spread it over ticks", ErrInput, len(input), tick, w.limit)
	}
	err := w.publish(ctx, w.input(tick), input, func(there []byte) error {
		input = there
		return nil
	})
	return input, err
}
