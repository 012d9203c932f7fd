package shard

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A lease is the right to run a shard: a key whose revision only its holder knows and advances. A
// process that sees the revision unchanged for the duration of a lease may take it over, with the
// next epoch.
type lease struct {
	kv       jetstream.KeyValue
	key      string
	patience time.Duration
	length   time.Duration
	stop     context.CancelFunc
	done     chan struct{}

	mu       sync.Mutex
	value    holder
	revision uint64
	renewed  time.Time // start of the last renewal
	fenced   error     // why the lease was lost; set once
}

// A holder is the value of a lease.
type holder struct {
	Name     string // of the process, or empty
	Instance string // of the program, drawn at random
	Epoch    uint64 // number of holders so far
	Beat     uint64 // number of renewals
}

// acquire takes the lease. It returns ErrHeld, wrapped, if another process holds it.
func (l *lease) acquire(ctx context.Context, name string) error {
	l.value = holder{Name: name, Instance: rand.Text()}
	whole := ctx
	err := retry(ctx, l.patience, "take the lease "+l.key, func(ctx context.Context) error {
		entry, err := l.kv.Get(ctx, l.key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return l.claim(ctx, 1, 0)
		}
		if err != nil {
			return err
		}
		var last holder
		if err := json.Unmarshal(entry.Value(), &last); err != nil {
			return finalError{fmt.Errorf("%w: lease %s: %w", ErrMessage, l.key, err)}
		}
		if last.Name == "" || last.Name == name || last.Instance == l.value.Instance {
			return l.claim(ctx, last.Epoch+1, entry.Revision())
		}
		if err := l.watch(whole, entry.Revision(), last.Name); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(whole, callLimit)
		defer cancel()
		return l.claim(ctx, last.Epoch+1, entry.Revision())
	})
	if err != nil {
		return err
	}
	run, stop := context.WithCancel(context.Background())
	l.stop, l.done = stop, make(chan struct{})
	go l.keep(run)
	return nil
}

// claim takes the lease if its revision is unchanged; 0: the lease does not exist yet.
func (l *lease) claim(ctx context.Context, epoch, revision uint64) (err error) {
	at := time.Now()
	l.value.Epoch = epoch
	if revision == 0 {
		revision, err = l.kv.Create(ctx, l.key, l.value.bytes())
	} else {
		revision, err = l.kv.Update(ctx, l.key, l.value.bytes(), revision)
	}
	if err == nil {
		l.revision, l.renewed = revision, at
	}
	return err
}

// watch waits until a lease has expired. It returns an error if the lease was renewed meanwhile. A
// lease that was released is not an error.
func (l *lease) watch(ctx context.Context, revision uint64, name string) error {
	sleep(ctx, l.length)
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	entry, err := l.kv.Get(ctx, l.key)
	if err == nil && entry.Revision() != revision {
		var now holder
		if json.Unmarshal(entry.Value(), &now) == nil && now.Name == "" {
			return fmt.Errorf("shard: %q gave the lease %s up", name, l.key)
		}
		return finalError{fmt.Errorf("%w: %q renews the lease %s", ErrHeld, name, l.key)}
	}
	return err
}

func (h *holder) bytes() []byte {
	b, _ := json.Marshal(h) // cannot fail: strings and numbers
	return b
}

// keep renews the lease until it is lost or released.
func (l *lease) keep(ctx context.Context) {
	defer close(l.done)
	for {
		sleep(ctx, l.length/3)
		if ctx.Err() != nil {
			return
		}
		call, cancel := context.WithTimeout(ctx, callLimit)
		err := l.renew(call)
		cancel()
		if errors.Is(err, ErrFenced) || errors.Is(err, ErrBack) {
			return
		}
	}
}

// renew advances the revision. An error that wraps ErrFenced or ErrBack is final.
func (l *lease) renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fenced != nil {
		return finalError{l.fenced}
	}
	at := time.Now()
	l.value.Beat++
	revision, err := l.kv.Update(ctx, l.key, l.value.bytes(), l.revision)
	if err != nil {
		revision, err = l.ask(ctx, err)
	}
	if err != nil {
		return err
	}
	l.revision, l.renewed = revision, at
	return nil
}

// ask finds out whether the lease is still held after a renewal failed or seemed to fail.
func (l *lease) ask(ctx context.Context, failed error) (uint64, error) {
	entry, err := l.kv.Get(ctx, l.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		l.fenced = backError("it has no lease " + l.key)
		return 0, finalError{l.fenced}
	}
	if err != nil {
		return 0, errors.Join(failed, err)
	}
	var now holder
	switch err := json.Unmarshal(entry.Value(), &now); {
	case err == nil && (now.Epoch < l.value.Epoch || entry.Revision() < l.revision):
		l.fenced = backError(fmt.Sprintf("lease %s is of epoch %d and revision %d, and was of %d "+
			"and %d", l.key, now.Epoch, entry.Revision(), l.value.Epoch, l.revision))
	case err != nil || now.Instance != l.value.Instance:
		l.fenced = fmt.Errorf("%w: lease %s is of epoch %d of %q, not %d of %q",
			ErrFenced, l.key, now.Epoch, now.Name, l.value.Epoch, l.value.Name)
	}
	if l.fenced != nil {
		return 0, finalError{l.fenced}
	}
	if entry.Revision() != l.revision {
		return entry.Revision(), nil // only the answer was lost
	}
	return 0, failed
}

// backError returns an ErrBack that names the evidence.
func backError(by string) error { return fmt.Errorf("%w: %s; start all shards again", ErrBack, by) }

// lost returns why the lease was lost, or nil.
func (l *lease) lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fenced
}

// lose ends the lease with an error.
func (l *lease) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fenced == nil {
		l.fenced = err
	}
}

// check returns nil if the lease is held. It renews the lease first if that may have expired.
func (l *lease) check(ctx context.Context) error {
	l.mu.Lock()
	fenced, age := l.fenced, time.Since(l.renewed)
	l.mu.Unlock()
	if fenced != nil {
		return finalError{fenced}
	}
	if age < l.length*2/3 {
		return nil
	}
	return l.renew(ctx)
}

func (l *lease) number() uint64 { return l.value.Epoch }

// release releases the lease, so that the next holder need not wait. It gives up after limit.
func (l *lease) release(limit time.Duration) {
	if l.stop == nil {
		return
	}
	l.stop()
	<-l.done
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fenced == nil {
		l.value.Name = ""
		_, _ = l.kv.Update(ctx, l.key, l.value.bytes(), l.revision) // otherwise it expires
	}
}
