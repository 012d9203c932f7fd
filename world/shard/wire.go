package shard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A wire carries the messages of a shard by a stream. The subject
//
//	<name>.m.<to>.<from>.<tick>.<round>.<part>
//
// has one message, permanently. The server republishes stored messages as <name>.r.…, to which the
// receiver listens.
type wire struct {
	name     string
	shard    int
	limit    int // bytes per message
	patience time.Duration
	lease    *lease
	js       jetstream.JetStream
	stream   jetstream.Stream
	listener *nats.Subscription
	bell     chan struct{}

	mu    sync.Mutex
	inbox map[string][]byte // by subject: received before it was needed
	tick  uint64            // of the next message
}

const (
	pause     = 20 * time.Millisecond  // between two tries
	silence   = 100 * time.Millisecond // then a receiver reads the stream
	callLimit = 2 * time.Second        // of a call to the server; the call is then retried
	maxInbox  = 4096                   // messages; further ones are read from the stream
	overhead  = 512                    // bytes of a message's subject and headers
)

// finalError is an error after which a retry is useless.
type finalError struct{ error }

// Unwrap returns the error itself.
func (e finalError) Unwrap() error { return e.error }

// retry calls f until it succeeds, its error is final, or the time limit is reached.
func retry(ctx context.Context, patience time.Duration, what string,
	f func(context.Context) error,
) error {
	full := false
	for end := time.Now().Add(patience); ; {
		call, cancel := context.WithTimeout(ctx, min(callLimit, max(time.Until(end), silence)))
		err := f(call)
		cancel()
		var final finalError
		full = full || isFull(err)
		switch {
		case err == nil:
			return nil
		case errors.As(err, &final):
			return final.error
		case ctx.Err() != nil:
			return fmt.Errorf("shard: %s: %w", what, ctx.Err())
		case time.Now().After(end) && full:
			return fmt.Errorf("%w: %v passed to %s; make room, start the server again, and then "+
				"the shard: %w", ErrNoRoom, patience, what, err)
		case time.Now().After(end):
			return fmt.Errorf("%w in %v to %s; does the server run, and has its disk room? If its "+
				"store is another one, or went back, start all shards again: %w",
				ErrSilent, patience, what, err)
		}
		sleep(ctx, pause)
	}
}

// isFull reports whether the server had no room to store data.
func isFull(err error) bool {
	switch code(err) {
	case 10023, 10047, 10077: // insufficient resources or storage; the file system refused
		return true
	}
	return false
}

// sleep waits, at most until ctx is done.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// open creates the stream if it is missing, and subscribes.
func (w *wire) open(ctx context.Context, nc *nats.Conn, at *streams) error {
	w.inbox, w.bell = make(map[string][]byte), make(chan struct{}, 1)
	err := retry(ctx, w.patience, "open the stream", func(ctx context.Context) (err error) {
		if w.stream, err = at.messages(ctx); err == nil {
			err = at.warn(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	w.limit = int(nc.MaxPayload()) - overhead
	w.listener, err = nc.Subscribe(fmt.Sprintf("%s.r.%d.>", w.name, w.shard), w.store)
	if err != nil {
		return fmt.Errorf("shard: listening: %w", err)
	}
	return nil
}

func (w *wire) close() {
	if w.listener != nil {
		_ = w.listener.Unsubscribe() // the connection may be closed
	}
}

// subject returns the subject of a part of a message; of is m for sending, r for republished
// messages.
func (w *wire) subject(of byte, to, from int, tick uint64, round uint32, part int) string {
	return fmt.Sprintf("%s.%c.%d.%d.%d.%d.%d", w.name, of, to, from, tick, round, part)
}

// store keeps a message for receive.
func (w *wire) store(m *nats.Msg) {
	var h header
	if _, err := h.parse(m.Data); err != nil {
		return // it is read from the stream
	}
	w.mu.Lock()
	if h.tick >= w.tick && h.tick <= w.tick+2 && len(w.inbox) < maxInbox {
		w.inbox[m.Subject] = m.Data
	}
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// expect drops received messages of ticks before tick.
func (w *wire) expect(tick uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tick = tick
	for subject, b := range w.inbox {
		var h header
		if _, err := h.parse(b); err != nil || h.tick < tick {
			delete(w.inbox, subject)
		}
	}
}

// take removes and returns the received message of a subject.
func (w *wire) take(subject string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.inbox[subject]
	delete(w.inbox, subject)
	return b
}

// publish stores a message unless its subject has one, and returns the stored message.
func (w *wire) publish(ctx context.Context, subject string, b []byte) (stored []byte, err error) {
	err = retry(ctx, w.patience, "store "+subject, func(ctx context.Context) error {
		if err := w.lease.check(ctx); err != nil {
			return err
		}
		_, err := w.js.Publish(ctx, subject, b, jetstream.WithExpectLastSequencePerSubject(0))
		if errors.Is(err, nats.ErrMaxPayload) {
			return finalError{fmt.Errorf("shard: %d bytes: %w", len(b), err)}
		}
		if code(err) != jetstream.JSErrCodeStreamWrongLastSequence {
			stored = b
			return err
		}
		m, err := w.stream.GetLastMsgForSubject(ctx, subject)
		if err == nil {
			stored = m.Data
		}
		return err
	})
	return stored, err
}

// code returns the number of an error of the server.
func code(err error) jetstream.ErrorCode {
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) {
		return api.ErrorCode
	}
	return 0
}

// send stores the parts of a message. It returns ErrDiverged if the stream contains a different
// one.
func (w *wire) send(ctx context.Context, h header, body []byte) error {
	h.from, h.epoch = uint32(w.shard), w.lease.number()
	for part, b := range cut(h, body, w.limit) {
		subject := w.subject('m', int(h.to), w.shard, h.tick, h.round, part)
		there, err := w.publish(ctx, subject, b)
		if err == nil {
			err = compare(b, there)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare returns an error if two parts differ in more than their epochs.
func compare(made, there []byte) error {
	var a, b header
	if _, err := a.parse(made); err != nil {
		return err
	}
	if _, err := b.parse(there); err != nil {
		return err
	}
	epoch := b.epoch
	if b.epoch = a.epoch; a != b {
		return fmt.Errorf("%w: tick %d, to shard %d: digest %016x, and %016x of epoch %d; a step "+
			"depends on more than world and input", ErrDiverged, a.tick, a.to, a.sum, b.sum, epoch)
	}
	return nil
}

// receive waits for the message of a neighbour for the tick and the round of mine. If early is set,
// it reads the stream first.
func (w *wire) receive(
	ctx context.Context, from int, mine header, early *bool,
) (header, []byte, error) {
	var h header
	b, err := w.await(ctx, from, mine, 0, early)
	if err != nil {
		return h, nil, err
	}
	body, err := h.parse(b)
	if err != nil {
		return h, nil, err
	}
	if int(h.from) != from || int(h.to) != w.shard || h.tick != mine.tick || h.round != mine.round {
		return h, nil, fmt.Errorf("%w: tick %d from %d has the subject of tick %d from %d",
			ErrMessage, h.tick, h.from, mine.tick, from)
	}
	body, err = join(h, body, func(part int) ([]byte, error) {
		return w.await(ctx, from, mine, part, early)
	})
	return h, body, err
}

// await waits for a part.
func (w *wire) await(
	ctx context.Context, from int, mine header, part int, early *bool,
) ([]byte, error) {
	heard := w.subject('r', w.shard, from, mine.tick, mine.round, part)
	stored := w.subject('m', w.shard, from, mine.tick, mine.round, part)
	ask := time.Now()
	if !*early {
		ask = ask.Add(silence)
	}
	for end := time.Now().Add(w.patience); ; {
		if b := w.take(heard); b != nil {
			return b, nil
		}
		if !time.Now().Before(ask) {
			if err := w.lease.lost(); err != nil {
				return nil, err
			}
			b, err := w.stored(ctx, stored)
			if *early = b != nil; *early {
				return b, nil
			}
			if err == nil {
				err = w.lost(ctx, from, mine.tick, stored)
			}
			if errors.Is(err, ErrLost) || ctx.Err() != nil {
				return nil, fmt.Errorf("shard: waiting for %s: %w", stored, err)
			}
			if time.Now().After(end) {
				return nil, fmt.Errorf("%w in %v from shard %d at tick %d; does it run? If the "+
					"server's store went back, start all shards again",
					ErrSilent, w.patience, from, mine.tick)
			}
			ask = time.Now().Add(silence)
		}
		w.wait(ctx)
	}
}

// wait waits until a message arrives, at most for a pause.
func (w *wire) wait(ctx context.Context) {
	select {
	case <-w.bell:
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// stored returns the message of a subject, or nil if there is none.
func (w *wire) stored(ctx context.Context, subject string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	m, err := lastOf(ctx, w.stream, subject)
	if m == nil {
		return nil, err
	}
	return m.Data, nil
}

// lastOf returns the last message of a subject, or nil if there is none.
func lastOf(
	ctx context.Context, stream jetstream.Stream, subject string,
) (*jetstream.RawStreamMsg, error) {
	m, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return m, err
}

// lost returns ErrLost if a shard has a snapshot of the tick or of a later one, so that its
// messages were stored, but the message is missing.
func (w *wire) lost(ctx context.Context, from int, tick uint64, subject string) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	p, _, err := readPointer(ctx, w.lease.kv, from)
	if err != nil || !p.Any || p.Newer < tick {
		return err
	}
	if b, err := w.stored(ctx, subject); b != nil || err != nil {
		return err
	}
	return fmt.Errorf("%w: shard %d has a snapshot of tick %d", ErrLost, from, p.Newer)
}

func (w *wire) input(tick uint64) string { return fmt.Sprintf("%s.i.%d.%d", w.name, w.shard, tick) }

// seal stores the input of a tick before its step, and returns the input that was stored first.
func (w *wire) seal(ctx context.Context, tick uint64, input []byte) ([]byte, error) {
	if len(input) > w.limit {
		return nil, fmt.Errorf("%w: %d bytes at tick %d, and a message has %d; "+
			"spread it over ticks", ErrInput, len(input), tick, w.limit)
	}
	return w.publish(ctx, w.input(tick), input)
}
