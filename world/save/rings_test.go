package save_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
)

// A bell is events with a number each, one reader that stays, one that goes and one that comes.
type bell struct {
	number      layout.Field[uint32]
	events      world.Events
	stays, goes world.EventReader
	comes       world.EventReader
}

func newBell() (b bell) {
	b.number = layout.NewField[uint32]("number", 9)
	b.events = world.NewEvents("bell", b.number)
	b.stays, b.goes = b.events.NewReader("stays"), b.events.NewReader("goes")
	b.comes = b.events.NewReader("comes")
	return b
}

func (b *bell) ring(s world.State, n int) world.State {
	s, e := b.events.Send(s)
	world.EventColumn(e, b.number)[0] = uint32(n)
	return s
}

// unread is what a reader has before it, from the slice of all events that were sent.
type unread struct {
	read, lost int // read so far, and the first that every ring since has kept
	sent       []uint32
}

func (u unread) in(capacity int) (events []uint32, missed int) {
	first := max(u.read, u.lost, len(u.sent)-capacity)
	return append(events, u.sent[first:]...), first - u.read
}

// agree checks that a reader has before it what the model has.
func (b *bell) agree(t *testing.T, s world.State, r world.EventReader, u unread, capacity int) {
	t.Helper()
	want, missed := u.in(capacity)
	got, lost := r.Unread(s)
	var events []uint32
	for _, batch := range got.Batches() {
		events = append(events, world.EventColumn(batch, b.number)...)
	}
	require.Equal(t, want, events)
	require.Equal(t, missed, lost)
}

// A resizing leads from a world to that of other counts.
var resizings = map[string]func(b *bell, s world.State, c world.Counts) (world.State, error){
	"Resized": func(_ *bell, s world.State, c world.Counts) (world.State, error) { return world.Resized(s, c) },
	"Read": func(_ *bell, s world.State, c world.Counts) (world.State, error) {
		return loadedWith(s, c, save.Options{})
	},
	"Read of a compressed file": func(_ *bell, s world.State, c world.Counts) (world.State, error) {
		return loadedWith(s, c, save.Options{Compress: true})
	},
	"Reread": func(b *bell, s world.State, c world.Counts) (world.State, error) {
		file, err := bytesOf(s, save.Options{})
		if err != nil {
			return world.State{}, err
		}
		spare, err := world.CreateState(c)
		if err != nil {
			return spare, err
		}
		for n := range 7 {
			spare = b.ring(spare, 100+n)
		}
		spare, _, err = save.Reread(bytes.NewReader(file), int64(len(file)), spare, save.Options{})
		return spare, err
	},
}

func bytesOf(s world.State, o save.Options) ([]byte, error) {
	var b bytes.Buffer
	err := save.Write(&b, s, o)
	return b.Bytes(), err
}

func loadedWith(s world.State, c world.Counts, o save.Options) (world.State, error) {
	file, err := bytesOf(s, o)
	if err != nil {
		return world.State{}, err
	}
	s, _, err = save.Read(bytes.NewReader(file), int64(len(file)), c, o)
	return s, err
}

// TestRingsOfOtherSizesKeepTheNewest: rings of 1 to 5 events become rings of 1 to 5, with 0 to 7
// events sent and a reader at each position, and then of the first size again; readers have before
// them what a slice of all events says, also when more are sent.
func TestRingsOfOtherSizesKeepTheNewest(t *testing.T) {
	worldtest.OneGoroutine(t)
	t.Parallel()
	for name, resize := range resizings {
		t.Run(name, func(t *testing.T) {
			b := newBell()
			for had := 1; had <= 5; had++ {
				for has := 1; has <= 5; has++ {
					for sent := range 8 {
						for read := range sent + 1 {
							if testing.Short() && (had+has+sent+read)%3 != 0 {
								continue
							}
							b.try(t, resize, had, has, sent, read)
						}
					}
				}
			}
		})
	}
}

func (b *bell) try(
	t *testing.T, resize func(*bell, world.State, world.Counts) (world.State, error), had, has, sent, read int,
) {
	t.Helper()
	c := world.Counts{GameObjects: 1, Events: []world.EventCount{b.events.Count(had, b.stays, b.goes)}}
	s := world.Must(world.CreateState(c))
	u := unread{read: read}
	for n := range sent {
		if n == read {
			s, _, _ = b.stays.Receive(s)
		}
		s = b.ring(s, n)
		u.sent = append(u.sent, uint32(n))
	}
	if read == sent {
		s, _, _ = b.stays.Receive(s)
	}
	s, _, _ = b.goes.Receive(s)
	size := had
	for i, next := range []int{has, had} {
		c.Events = []world.EventCount{b.events.Count(next, b.comes, b.stays)}
		before := s
		s = world.Must(resize(b, before, c))
		world.Close(before)
		require.NoError(t, tool.Verify(s), fmt.Sprint(had, has, sent, read))
		u.lost = max(u.lost, len(u.sent)-min(size, next))
		size = next
		b.agree(t, s, b.stays, u, size)
		fresh := unread{read: sent, sent: u.sent}
		b.agree(t, s, b.comes, fresh, size)
		if i == 0 {
			s, _, _ = b.comes.Receive(s) // all of them
		}
	}
	for n := sent; n < sent+has; n++ {
		s = b.ring(s, n)
		u.sent = append(u.sent, uint32(n))
		b.agree(t, s, b.stays, u, size)
		b.agree(t, s, b.comes, unread{read: sent, sent: u.sent}, size)
	}
	s, _, _ = b.stays.Receive(s)
	b.agree(t, s, b.stays, unread{read: len(u.sent), sent: u.sent}, size)
	world.Close(s)
}

// TestALargeRingIsNotReadBesideASmallOne: a ring of the file takes no more memory than files of its
// size may ask for.
func TestALargeRingIsNotReadBesideASmallOne(t *testing.T) {
	if testing.Short() {
		t.Skip("a ring of 70 MB")
	}
	events := world.NewEvents("huge", layout.NewField[[128]uint64]("all"))
	c := world.Counts{GameObjects: 1, Events: []world.EventCount{events.Count(70 << 10)}}
	s := world.Must(world.CreateState(c))
	defer func() { world.Close(s) }()
	c.Events[0] = events.Count(4)
	_, err := loadedWith(s, c, save.Options{Compress: true})
	require.ErrorIs(t, err, save.ErrTooLarge)
	require.ErrorContains(t, err, "71680 events of huge, after 0 bytes of others; give its Count as many")
}
