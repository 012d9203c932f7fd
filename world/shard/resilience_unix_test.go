//go:build unix

package shard_test

import (
	"encoding/json"
	"fmt"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A process that is stopped for longer than its lease is replaced. When it is woken, it tries to
// continue, but stores nothing that another process reads.
func TestAStoppedProcessIsFenced(t *testing.T) {
	t.Parallel() // it waits for most of the time
	const ticks = 100
	c, p := &scene{objects: processObjects}, shard.Strips(3, 0, side)
	want := c.alone(t, ticks)
	s := serve(t, server.Options{})
	nc := connect(t, s)

	sleeper := startProcess(t, s.URL(), "first", 1000, 0)
	sleeper.await(t, "holds the lease") // and waits for the others
	mistaken := startProcess(t, s.URL(), "by mistake", ticks, 0)
	assert.Contains(t, mistaken.await(t, "error "), shard.ErrHeld.Error())
	others := c.begin(t, nc, p, ticks, nil, 1, 2)
	sleeper.await(t, "tick 5")
	require.NoError(t, sleeper.cmd.Process.Signal(syscall.SIGSTOP))
	second, rest := startProcess(t, s.URL(), "second", ticks, 0), others()
	assert.Equal(t, want, outcomeOf(t, rest...).and(second.outcome(t)))
	second.end()
	for _, s := range rest {
		s.Close() // after its last snapshot
	}

	last, pointer := stored(t, nc)
	require.NoError(t, sleeper.cmd.Process.Signal(syscall.SIGCONT))
	assert.Contains(t, sleeper.await(t, "msg=stopped"), shard.ErrFenced.Error())
	now, pointerNow := stored(t, nc)
	assert.Equal(t, pointer, pointerNow)
	for last++; last <= now; last++ {
		assert.Less(t, tickOf(t, nc, last), pointer.Older, "somebody may read what it stored")
	}
}

// A kept is where the pointer of a shard leads.
type kept struct{ Newer, Older uint64 }

// stored returns the last number of the stream, and where the pointer of shard 0 leads. What was
// in flight may still arrive: a snapshot to which no pointer leads, messages of a tick long gone.
func stored(t *testing.T, nc *nats.Conn) (last uint64, pointer kept) {
	t.Helper()
	stream := streamOf(t, nc)
	info := world.Must(stream.Info(t.Context()))
	js := world.Must(jetstream.New(nc))
	kv := world.Must(js.KeyValue(t.Context(), "test"))
	entry := world.Must(kv.Get(t.Context(), "snapshot.0"))
	require.NoError(t, json.Unmarshal(entry.Value(), &pointer))
	return info.State.LastSeq, pointer
}

// tickOf returns the tick that a message of the stream is of.
func tickOf(t *testing.T, nc *nats.Conn, n uint64) (tick uint64) {
	t.Helper()
	m := world.Must(streamOf(t, nc).GetMsg(t.Context(), n))
	var to, from int
	_, err := fmt.Sscanf(m.Subject, "test.m.%d.%d.%d", &to, &from, &tick)
	require.NoError(t, err, m.Subject)
	return tick
}

func streamOf(t *testing.T, nc *nats.Conn) jetstream.Stream {
	t.Helper()
	js := world.Must(jetstream.New(nc))
	return world.Must(js.Stream(t.Context(), "test"))
}

// A process that dies between the seal of an input and its step, begins again with that input.
func TestAnInputInFlightSurvives(t *testing.T) {
	const ticks, death = 10, 7
	c, p := &scene{objects: processObjects}, shard.Strips(3, 0, side)
	s := serve(t, server.Options{})
	nc := connect(t, s)
	adjust := func(o *shard.Options) { withInputs(o, 0) }
	others := c.begin(t, nc, p, ticks, adjust, 1, 2)
	first := startProcess(t, s.URL(), "same", ticks, death)
	first.await(t, "tick 6")
	first.end()
	again := startProcess(t, s.URL(), "same", ticks, 1000)
	got := outcomeOf(t, others()...).and(again.outcome(t))

	stream := streamOf(t, nc)
	m := world.Must(stream.GetLastMsgForSubject(t.Context(), "test.i.0.7"))
	assert.Equal(t, byte(first.cmd.Process.Pid), m.Data[0], "the input of the one that died")
	assert.Equal(t, c.withSealed(t, stream, p, ticks), got)
}

// withSealed runs the scene in one shard, whose objects in the first region get the inputs that
// were sealed for the shard there.
func (c *scene) withSealed(
	t *testing.T, stream jetstream.Stream, p shard.Partition, ticks uint64,
) outcome {
	t.Helper()
	o := c.options(t, 0, shard.Strips(1, 0, side))
	o.Input = func(tick uint64) []byte {
		m := world.Must(stream.GetLastMsgForSubject(t.Context(), fmt.Sprint("test.i.0.", tick)))
		return m.Data
	}
	o.Apply = func(s world.State, b []byte) (world.State, error) {
		for batch := range walking.In(s) {
			at, h := world.Column(batch, heroes.Position), world.Column(batch, seen)
			for i := range h {
				if p.Of(at[i]) == 0 {
					h[i] += uint32(b[0])
				}
			}
		}
		return s, nil
	}
	s := world.Must(shard.Start(t.Context(), nil, o))
	defer s.Close()
	require.NoError(t, s.Run(t.Context(), ticks))
	return outcomeOf(t, s)
}
