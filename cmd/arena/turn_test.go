package arena

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/record"
)

// An arena that was recorded replays to the bit, with players that come, go and are noted.
func TestARecordedArenaReplays(t *testing.T) {
	const bots = 12
	m := newMatch(t, bots, link.Conditions{Loss: .05, Delay: 1, Seed: 1})
	var file bytes.Buffer
	rec := world.Must(record.New(&file, m.host.State(), record.Options{
		StepRate: Ticks, Digests: 1, Wait: true,
	}))
	m.host.Record(func(s world.State, input []byte) { require.NoError(t, rec.Record(s, input)) })
	for n := range 40 * Ticks {
		if n == 10*Ticks {
			m.players = m.players[1:] // who says nothing any more, and is gone
		}
		m.tick(t)
	}
	require.Equal(t, bots-1, m.seated())
	require.NoError(t, rec.Note(record.Note{Frame: 800, What: "failure", Text: "a bot"}))
	require.NoError(t, rec.End(m.host.State()))
	f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	require.Equal(t, "a bot", f.Notes[0].Text)
	require.NoError(t, f.Replay(Counts(bots, 1), Replay(), record.Options{}, nil))
	past := world.Must(f.Timeline(Counts(bots, 1), Replay(), record.Options{}))
	defer past.Close()
	for _, frame := range []int{700, 30, 800} {
		world.Must(past.At(frame))
	}
	then := world.Must(past.At(800))
	require.Equal(t, world.Digest(m.host.State()), world.Digest(then))
}

// seated returns how many players have a tank.
func (m *match) seated() (n int) {
	for _, id := range m.host.players {
		if world.Alive(m.host.state, id) {
			n++
		}
	}
	return n
}
