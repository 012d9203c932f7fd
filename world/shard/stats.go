package shard

import (
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world"
)

// Stats are the counts of a shard since its start. Sending and Waiting overlap, and both are part
// of Exchange.
type Stats struct {
	Ticks         int           // done
	Left, Arrived int           // objects that went to neighbours, and came from them
	Ghosts        int           // that there are now
	Sent          int           // bytes of messages to neighbours
	Received      int           // bytes of messages from neighbours
	Step          time.Duration // of the schedule
	Exchange      time.Duration // of the rest of a tick
	Sending       time.Duration // until the server had stored a tick's messages
	Waiting       time.Duration // until a tick's messages from all neighbours were there

	Epoch          uint64        // of the lease: how many processes have run the shard
	Snapshots      int           // stored and read back
	SnapshotsLost  int           // given up with an error, which Options.Log has
	SnapshotTick   uint64        // of the newest one of this process
	SnapshotBytes  int           // of the same
	SnapshotsTaken time.Duration // for storing all of them, beside the steps
}

// exchanged notes what a tick's messages took, and those that came.
func (s *Stats) exchanged(sent []time.Duration, waited time.Duration, bodies [][]byte) {
	longest := time.Duration(0)
	for _, d := range sent {
		longest = max(longest, d)
	}
	s.Sending += longest
	s.Waiting += waited
	for _, b := range bodies {
		s.Received += len(b)
	}
}

// stored counts snapshots, which are written on another goroutine.
type stored struct {
	count, failed, bytes, took atomic.Int64
	tick                       atomic.Uint64
}

// Stats returns what the shard did since it was started.
func (s *Shard) Stats() Stats {
	st := s.checked().stats
	if s.state != (world.State{}) && !s.closed {
		st.Ghosts = ghosts.Count(s.state)
	}
	if k := s.keeper; k != nil {
		st.Epoch = k.wire.lease.number()
		st.Snapshots, st.SnapshotsLost = int(k.stored.count.Load()), int(k.stored.failed.Load())
		st.SnapshotTick, st.SnapshotBytes = k.stored.tick.Load(), int(k.stored.bytes.Load())
		st.SnapshotsTaken = time.Duration(k.stored.took.Load())
	}
	return st
}
