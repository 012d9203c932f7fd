package server

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// Where a purge finds the disk full, NATS may wait for itself for ever. The wait for the server
// ends, and so does stopping it.
func TestAStoreThatIsStuckIsNamed(t *testing.T) {
	dir := worldtest.SmallDisk(t, 8<<20)
	s := world.Must(Start(Options{Dir: filepath.Join(dir, "store")}))
	nc := world.Must(nats.Connect(s.URL()))
	defer nc.Close()
	js := world.Must(jetstream.New(nc))
	stream := world.Must(js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: "test", Subjects: []string{"keep", "drop"},
	}))
	for range 1000 { // what tells that they were removed fills more than a page
		for _, subject := range []string{"keep", "drop"} {
			world.Must(js.PublishAsync(subject, nil))
		}
	}
	<-js.PublishAsyncComplete()
	worldtest.Fill(t, filepath.Join(dir, "filler"))

	require.Error(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject("drop")))
	s.limit = time.Second
	require.ErrorIs(t, s.Wait(t.Context()), ErrStore)
	if err := s.Stop(); err != nil { // a later NATS may do better
		assert.ErrorIs(t, err, ErrStore)
		assert.ErrorContains(t, err, dir)
	}
}
