package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A pointer names the readable snapshots of a shard: they were read back after writing.
type pointer struct {
	Newer, Older uint64 // ticks
	Any          bool   // there is a snapshot
}

// readPointer returns the pointer of a shard, and its revision.
func readPointer(
	ctx context.Context, kv jetstream.KeyValue, shard int,
) (p pointer, revision uint64, err error) {
	entry, err := kv.Get(ctx, pointerKey(shard))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return p, 0, nil
	}
	if err != nil {
		return p, 0, err
	}
	if err := json.Unmarshal(entry.Value(), &p); err != nil {
		return p, 0, fmt.Errorf("%w: %s: %w", ErrMessage, pointerKey(shard), err)
	}
	return p, entry.Revision(), nil
}

func pointerKey(shard int) string { return fmt.Sprintf("snapshot.%d", shard) }

// A keeper stores snapshots of a shard while it runs, and reads the last one.
type keeper struct {
	store      jetstream.ObjectStore
	wire       *wire
	neighbours []int
	shards     int
	options    save.Options
	log        *slog.Logger

	now      pointer
	revision uint64
	snap     *world.Snapshot
	work     sync.WaitGroup
	busy     chan struct{} // full while a snapshot is written
	stored   stored
}

const chunk = 128 << 10 // bytes of a snapshot per message, if the server allows them

func (k *keeper) object(tick uint64) string { return fmt.Sprintf("%d.%d", k.wire.shard, tick) }

// restore reads the newest readable snapshot, with its configuration. The tick is 0 if there is no
// snapshot.
func (k *keeper) restore(
	ctx context.Context, c world.Counts,
) (s world.State, tick uint64, f force, err error) {
	err = retry(ctx, k.wire.patience, "read the pointer", func(ctx context.Context) (err error) {
		k.now, k.revision, err = readPointer(ctx, k.wire.lease.kv, k.wire.shard)
		return err
	})
	if err != nil || !k.now.Any {
		return s, 0, f, err
	}
	var errs []error
	for _, tick := range []uint64{k.now.Newer, k.now.Older} {
		if tick == 0 { // from the start: no message was removed
			k.now = pointer{}
			return s, 0, f, nil
		}
		if s, f, err = k.read(ctx, tick, c); err == nil {
			k.now.Newer = tick
			return s, tick, f, nil
		}
		if errors.Is(err, ErrBuild) {
			return s, tick, f, err
		}
		k.log.Error("a snapshot cannot be read", "tick", tick, "error", err)
		errs = append(errs, err)
	}
	return s, 0, f, fmt.Errorf("%w: ticks %d and %d: %w", ErrSnapshot, k.now.Newer, k.now.Older,
		errors.Join(errs...))
}

// read reads the snapshot of a tick.
func (k *keeper) read(
	ctx context.Context, tick uint64, c world.Counts,
) (s world.State, f force, err error) {
	var b []byte
	whole := ctx
	err = retry(ctx, k.wire.patience, "read a snapshot", func(ctx context.Context) error {
		info, err := k.store.GetInfo(ctx, k.object(tick))
		if err == nil {
			long, cancel := context.WithTimeout(whole, transfer(info.Size))
			defer cancel()
			if b, err = k.store.GetBytes(long, k.object(tick)); err == nil {
				return k.readForce(info, tick, &f)
			}
		}
		if errors.Is(err, jetstream.ErrObjectNotFound) ||
			errors.Is(err, jetstream.ErrDigestMismatch) {
			return finalError{err}
		}
		return err
	})
	if err != nil {
		return s, f, err
	}
	s, report, err := save.Read(bytes.NewReader(b), int64(len(b)), c, k.options)
	if err == nil && report.Frame != tick {
		world.Close(s)
		err = fmt.Errorf("%w: it has tick %d", ErrSnapshot, report.Frame)
	}
	return s, f, err
}

// readForce reads the configuration that is stored with a snapshot.
func (k *keeper) readForce(info *jetstream.ObjectInfo, tick uint64, f *force) error {
	if err := json.Unmarshal([]byte(info.Metadata["force"]), f); err != nil {
		return finalError{fmt.Errorf("%w: %s says nothing of builds and borders: %w",
			ErrSnapshot, info.Name, err)}
	}
	if f.Behaviour != k.options.Behaviour {
		return finalError{&BuildError{Shard: k.wire.shard, Tick: tick, Behaviour: f.Behaviour}}
	}
	return nil
}

// transfer returns the time limit for sending or receiving n bytes: a second per MiB, for slow
// disks.
func transfer(n uint64) time.Duration { return callLimit + time.Duration(n>>20)*time.Second }

// offer starts storing a snapshot, unless the previous one is still being written.
func (k *keeper) offer(ctx context.Context, s world.State, tick uint64, f force) error {
	select {
	case k.busy <- struct{}{}:
	default:
		k.log.Warn("no snapshot: the previous one is still being written", "tick", tick)
		return nil
	}
	err := k.take(s)
	if err != nil {
		<-k.busy
		return err
	}
	k.work.Go(func() {
		begin := time.Now()
		if err := k.write(ctx, tick, f); err != nil {
			k.stored.failed.Add(1)
			k.log.Error("no snapshot", "tick", tick, "error", err)
		} else {
			k.stored.took.Add(int64(time.Since(begin)))
			k.log.Debug("snapshot", "tick", tick, "took", time.Since(begin))
		}
		<-k.busy
	})
	return nil
}

// insist stores a snapshot, and waits until it is stored.
func (k *keeper) insist(ctx context.Context, s world.State, tick uint64, f force) error {
	k.work.Wait()
	if err := k.take(s); err != nil {
		return err
	}
	return retry(ctx, k.wire.patience, "store a snapshot", func(context.Context) error {
		return k.write(ctx, tick, f)
	})
}

func (k *keeper) take(s world.State) (err error) {
	if k.snap == nil {
		if k.snap, err = world.NewSnapshot(s); err != nil {
			return err
		}
	}
	return k.snap.Take(s)
}

// write stores the snapshot, reads it back, moves the pointer, and removes what no shard needs.
func (k *keeper) write(ctx context.Context, tick uint64, f force) error {
	if k.now.Any && tick <= k.now.Newer {
		return nil
	}
	var b bytes.Buffer
	o := k.options
	o.Frame = tick
	if err := save.Write(&b, k.snap.State(), o); err != nil {
		return err
	}
	inForce, err := json.Marshal(f)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, transfer(uint64(2*b.Len())))
	defer cancel()
	if err := k.wire.lease.check(ctx); err != nil {
		return err
	}
	if _, err := k.store.Put(ctx, jetstream.ObjectMeta{
		Name: k.object(tick), Metadata: map[string]string{"force": string(inForce)},
		Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(chunk, k.wire.limit))},
	}, leased{bytes.NewReader(b.Bytes()), ctx, k.wire.lease}); err != nil {
		return err
	}
	back, err := k.store.GetBytes(ctx, k.object(tick))
	if err != nil {
		return err
	}
	if !bytes.Equal(back, b.Bytes()) {
		return fmt.Errorf("%w: the stored data differ", ErrSnapshot)
	}
	if err := k.move(ctx, tick); err != nil {
		return err
	}
	k.stored.count.Add(1)
	k.stored.tick.Store(tick)
	k.stored.bytes.Store(int64(b.Len()))
	return k.clean(ctx)
}

// A leased is a reader that fails when the lease is lost.
type leased struct {
	from  io.Reader
	ctx   context.Context
	lease *lease
}

// Read reads from the snapshot.
func (l leased) Read(b []byte) (int, error) {
	if err := l.lease.check(l.ctx); err != nil {
		return 0, err
	}
	return l.from.Read(b)
}

// move sets the pointer to a newer snapshot. It fails if another process moved it.
func (k *keeper) move(ctx context.Context, tick uint64) (err error) {
	if err := k.wire.lease.check(ctx); err != nil {
		return err
	}
	next := pointer{Newer: tick, Older: k.now.Newer, Any: true}
	b, err := json.Marshal(next)
	if err != nil {
		return err
	}
	revision, err := k.wire.lease.kv.Update(ctx, pointerKey(k.wire.shard), b, k.revision)
	if err != nil {
		if p, at, again := readPointer(ctx, k.wire.lease.kv, k.wire.shard); again == nil {
			k.revision = at
			if p.Newer < k.now.Newer {
				err = backError(fmt.Sprintf("it has a snapshot of tick %d of shard %d, and had one"+
					" of %d", p.Newer, k.wire.shard, k.now.Newer))
				k.wire.lease.lose(err)
				return err
			}
			if p != next {
				return fmt.Errorf("%w: the pointer leads to tick %d: %w", ErrSnapshot, p.Newer, err)
			}
			revision, err = at, nil // only the answer was lost
		}
	}
	if err == nil {
		k.now, k.revision = next, revision
	}
	return err
}

// clean removes the snapshot before the older one, and messages that no shard can need.
func (k *keeper) clean(ctx context.Context) error {
	objects, err := k.store.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return err
	}
	for _, o := range objects {
		var shard int
		var tick uint64
		if _, err := fmt.Sscanf(o.Name, "%d.%d", &shard, &tick); err == nil &&
			shard == k.wire.shard && tick < k.now.Older {
			if err := k.store.Delete(ctx, o.Name); err != nil {
				return err
			}
		}
	}
	for _, from := range k.neighbours {
		p, _, err := readPointer(ctx, k.wire.lease.kv, from)
		if err != nil {
			return err
		}
		if err := k.wire.purge(ctx, from, min(p.Older, k.now.Older)); err != nil {
			return err
		}
	}
	w := k.wire
	err = w.purgeBefore(ctx, k.now.Older, w.input(k.now.Older+1),
		fmt.Sprintf("%s.i.%d.>", w.name, w.shard))
	if err != nil || w.shard != 0 {
		return err
	}
	return k.cleanPlans(ctx)
}

// cleanPlans removes plans that no shard can need. It removes them one by one, because later plans
// may be older in the stream.
func (k *keeper) cleanPlans(ctx context.Context) error {
	oldest, err := oldestOf(ctx, k.wire.lease.kv, k.shards)
	if err != nil {
		return err
	}
	info, err := k.wire.stream.Info(ctx, jetstream.WithSubjectFilter(k.wire.name+".p.>"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		var tick uint64
		if _, err := fmt.Sscanf(subject[len(k.wire.name):], ".p.%d", &tick); err == nil &&
			tick <= oldest {
			if err := k.wire.stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
				return err
			}
		}
	}
	return nil
}

// purge removes the messages from a shard up to a tick that both shards have a snapshot of.
func (w *wire) purge(ctx context.Context, from int, tick uint64) error {
	next := w.subject('m', w.shard, from, tick+1, 0, 0)
	return w.purgeBefore(ctx, tick, next, fmt.Sprintf("%s.m.%d.%d.>", w.name, w.shard, from))
}

// purgeBefore removes the messages of all subjects before the message of the next tick.
func (w *wire) purgeBefore(ctx context.Context, tick uint64, next, all string) error {
	if tick == 0 {
		return nil // a shard may have to start at tick 0
	}
	m, err := lastOf(ctx, w.stream, next)
	if m == nil {
		return err
	}
	return w.stream.Purge(ctx, jetstream.WithPurgeSubject(all),
		jetstream.WithPurgeSequence(m.Sequence))
}

// close waits until no snapshot is being written, and ends the keeper.
func (k *keeper) close() {
	k.work.Wait()
	if k.snap != nil {
		k.snap.Close()
	}
}
