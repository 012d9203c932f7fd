package arena

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render/soft"
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
			m.players = m.players[1:] // it sends nothing any more, and is gone
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

// A player's picture has its own tank in the middle, and every actor that it knows of; another side
// sees another picture.
func TestPictureHasWhatIsSeen(t *testing.T) {
	m := newMatch(t, 12, link.Conditions{})
	for range 5 * Ticks {
		m.tick(t)
	}
	var pictures [2][]uint8
	for n := range pictures {
		c := soft.New(Look(), soft.Options{Width: 480, Height: 320, Bands: 1})
		c.Init()
		c.Begin()
		m.players[n].Draw(c)
		report, err := c.End()
		require.NoError(t, err)
		assert.GreaterOrEqual(t, report.Sprites, 4+m.players[n].Status().Sees)
		pictures[n] = append(pictures[n], c.Image().Pix...)
		red, blue := c.Image().RGBAAt(240, 160).R, c.Image().RGBAAt(240, 160).B
		assert.Equal(t, n == 0, red > blue, "the own tank is in the middle")
	}
	assert.NotEqual(t, pictures[0], pictures[1])
}

// The second tank of a duel finds one that drives ahead, and breaks it: to the bit on every
// machine, and in several goroutines.
func TestDigestsOfADuel(t *testing.T) {
	duel, first := NewDuel(), world.Must(world.CreateState(Counts(2, 7)))
	worlds := []world.State{first, world.Must(world.Clone(first))}
	var group sync.WaitGroup
	for i := range worlds {
		group.Go(func() {
			s := duel.Begin(worlds[i])
			for range 1_200 {
				s = duel.Step(s, Forward)
			}
			worlds[i] = s
		})
	}
	group.Wait()
	require.True(t, world.Equal(worlds[0], worlds[1]))
	require.Equal(t, uint64(0xc1dca94c52ca8ef7), world.Digest(worlds[0]))
	ahead, scripted := duel.Look(worlds[0])
	require.Positive(t, scripted.Score[scripted.Side])
	require.Zero(t, scripted.Score[ahead.Side])
}
