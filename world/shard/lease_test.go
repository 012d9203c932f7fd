package shard

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A slate is a store of one key, which is written beside its user.
type slate struct {
	jetstream.KeyValue
	mu       *sync.Mutex
	text     []byte
	revision uint64
}

// A slateEntry is what a slate had when it was asked.
type slateEntry struct {
	jetstream.KeyValueEntry
	of slate
}

func (e slateEntry) Value() []byte    { return e.of.text }
func (e slateEntry) Revision() uint64 { return e.of.revision }

func (s *slate) write(h holder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.revision = h.bytes(), s.revision+1
}

func (s *slate) Get(context.Context, string) (jetstream.KeyValueEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slateEntry{of: *s}, nil
}

func (s *slate) Update(_ context.Context, _ string, text []byte, last uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last != s.revision {
		return 0, jetstream.ErrKeyExists
	}
	s.text, s.revision = text, last+1
	return s.revision, nil
}

// A lease that is given up while another process waits for its end is taken by that one; one that
// is renewed meanwhile is not.
func TestALeaseThatIsGivenUpIsTaken(t *testing.T) {
	for name, want := range map[string]error{"": nil, "first": ErrHeld} {
		synctest.Test(t, func(t *testing.T) {
			s := &slate{mu: &sync.Mutex{}}
			s.write(holder{Name: "first", Epoch: 4})
			l := &lease{kv: s, key: "lease.0", patience: time.Minute, length: time.Second}
			time.AfterFunc(l.length/2, func() { s.write(holder{Name: name, Epoch: 4, Beat: 1}) })
			require.ErrorIs(t, l.acquire(t.Context(), "second"), want)
			if want == nil {
				var now holder
				require.NoError(t, json.Unmarshal(s.text, &now))
				assert.Equal(t, [2]any{"second", uint64(5)}, [2]any{now.Name, now.Epoch})
				l.release(time.Second)
			}
		})
	}
}
