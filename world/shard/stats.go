package shard

import (
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world"
)

// Stats are the counts of a shard since its start. Sending and Waiting overlap, and both are part
// of Exchange.
type Stats struct {
	Ticks         int           // completed
	Left, Arrived int           // objects sent to neighbours, and received from them
	Ghosts        int           // current number
	Sent          int           // bytes of messages to neighbours
	Received      int           // bytes of messages from neighbours
	Step          time.Duration // of the schedule
	Exchange      time.Duration // the rest of a tick
	Sending       time.Duration // until the server had stored the messages of a tick
	Waiting       time.Duration // until the messages of all neighbours for a tick had arrived

	Epoch          uint64        // of the lease: how many processes have run the shard
	Snapshots      int           // stored and read back
	SnapshotsLost  int           // failed; the errors are in Options.Log
	SnapshotTick   uint64        // of the newest one of this process
	SnapshotBytes  int           // of that snapshot
	SnapshotsTaken time.Duration // time to store them, in parallel with steps
}

// exchanged adds the times and bytes of a tick's messages.
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

// stored counts snapshots. Another goroutine writes them.
type stored struct {
	count, failed, bytes, took atomic.Int64
	tick                       atomic.Uint64
}

// Stats returns the counts since the shard was started.
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
