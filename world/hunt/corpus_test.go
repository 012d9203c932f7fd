package hunt_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/internal/ledger"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A maze is two counters up to 40 that inputs move; machine stands for what differs between two.
func maze(cells map[uint64]bool, machine int32) hunt.Game {
	return hunt.Game{
		New: newMatch, Inputs: 1,
		Step: func(s world.State, in []byte) (world.State, error) {
			for b := range allHeroes.In(s) {
				h := &world.Column(b, heroes)[0]
				if x := h.Gold + int32(in[0]&1)*2 - 1; x >= 100 && x < 140 && in[0]&6 == 0 {
					h.Gold = x
				}
				if y := h.HP + int32(in[0]>>3&1)*2 - 1; y >= 10 && y < 50 && in[0]&0x30 == 0 {
					h.HP = y
				}
				if h.Gold == 105 {
					h.X += machine
				}
			}
			return s, nil
		},
		Cover: func(s world.State, note func(uint64)) {
			for b := range eachHero.In(s) {
				h := world.Column(b, heroes)[0]
				x := uint64(h.Gold-100)<<8 | uint64(h.HP-10) + 1
				cells[x] = true
				note(x)
			}
		},
	}
}

// part hunts as a part with the corpus in a folder.
func part(t *testing.T, g hunt.Game, dir string, o hunt.Options) (hunt.Result, error) {
	t.Helper()
	d := world.Must(hunt.OpenDir(dir, o.Part))
	defer func() { require.NoError(t, d.Close()) }()
	o.Workers, o.Deep, o.Corpus = 1, -1, d
	return hunt.Run(g, o)
}

// TestPartsReachWhatOneReaches in as many ticks, to a fifth; the corpus counts these.
func TestPartsReachWhatOneReaches(t *testing.T) {
	worldtest.OneGoroutine(t)
	const parts, rounds, ticks = 8, 5, 200
	one, all := map[uint64]bool{}, map[uint64]bool{}
	o := hunt.Options{Workers: 1, Deep: -1, Ticks: parts * rounds * ticks, Length: 20}
	hunted(t, maze(one, 0), o)
	dir, played := t.TempDir(), int64(0)
	for o.Ticks = ticks; o.Seed < rounds; o.Seed++ {
		for o.Part = range parts {
			r := world.Must(part(t, maze(all, 0), dir, o))
			require.Nil(t, r.Failure, "%v", r)
			played += r.Ticks
			require.Equal(t, played, r.All)
		}
	}
	t.Logf("one part reaches %d cells, %d parts %d", len(one), parts, len(all))
	assert.InEpsilon(t, len(one), len(all), 0.2)
	assert.Less(t, len(one), 1500, "or else everything is reached")
	o = hunt.Options{Workers: 1, Deep: -1, Ticks: 1000, Length: 20, Part: 1}
	second, first := map[uint64]bool{}, map[uint64]bool{}
	hunted(t, maze(second, 0), o)
	o.Part = 0
	hunted(t, maze(first, 0), o)
	assert.NotEqual(t, first, second, "each part has inputs of its own")
}

// TestADigestThatDiffersIsAFailure of both parts, unless they are two builds.
func TestADigestThatDiffersIsAFailure(t *testing.T) {
	o := hunt.Options{Ticks: 20_000, Length: 20, Shrink: time.Millisecond, Build: "a"}
	for _, build := range []string{"a", "b"} {
		dir, other := t.TempDir(), o
		world.Must(part(t, maze(map[uint64]bool{}, 0), dir, o))
		other.Part, other.Build = 1, build
		r := world.Must(part(t, maze(map[uint64]bool{}, 1), dir, other))
		require.Equal(t, build == "a", r.Failure != nil)
		if r.Failure != nil {
			assert.Contains(t, r.String(), "the same on every machine: the inputs lead to digest ")
			r = world.Must(part(t, maze(map[uint64]bool{}, 0), dir, o))
			require.NotNil(t, r.Failure)
			assert.Contains(t, r.String(), "elsewhere, not here")
			files := string(world.Must(os.ReadFile(filepath.Join(dir, "0.finds")))) +
				string(world.Must(os.ReadFile(filepath.Join(dir, "1.finds"))))
			assert.Equal(t, 1, strings.Count(files, "property"), "it is written once")
		}
	}
}

// A told is a corpus in memory.
type told struct {
	mutex sync.Mutex
	finds []hunt.Find
	fails error
}

func (c *told) Add(f hunt.Find) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.finds = append(c.finds, f)
	return c.fails
}

func (c *told) Next() (finds []hunt.Find, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	finds, c.finds = c.finds, nil
	return finds, c.fails
}

// TestAFailureStopsAllParts when they next look, and is found again until another build is sound.
func TestAFailureStopsAllParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := maze(map[uint64]bool{}, 0)
		step := g.Step
		g.Step = func(s world.State, in []byte) (world.State, error) {
			time.Sleep(time.Second)
			return step(s, in)
		}
		g.Rarely = []hunt.Property{hunt.Holds("poor", func(s world.State) bool { return goldOf(s) <= 800 })}
		c, began := new(told), time.Now()
		time.AfterFunc(25*time.Second, func() {
			_ = c.Add(hunt.Find{Property: "poor", Inputs: []byte{1}})
		})
		r := hunted(t, g, hunt.Options{
			Corpus: c, For: time.Hour, Length: 3, Deep: -1, Shrink: time.Millisecond,
		})
		require.NotNil(t, r.Failure)
		assert.Equal(t, "poor", r.Failure.Property)
		assert.Less(t, time.Since(began), 5*time.Minute, "30 s, and the replays")
		g.Rarely = nil
		c.finds = []hunt.Find{{Property: "poor", Inputs: []byte{1}, Build: "before"}}
		require.Nil(t, hunted(t, g, hunt.Options{Corpus: c, Ticks: 30, Deep: -1}).Failure)
	})
}

// TestACorpusInUse, damaged or of another game is refused, and one that is torn is read as far.
func TestACorpusInUse(t *testing.T) {
	o := hunt.Options{Ticks: 200, Length: 20}
	dir := t.TempDir()
	world.Must(part(t, maze(map[uint64]bool{}, 0), dir, o))
	file := filepath.Join(dir, "0.finds")
	whole := world.Must(os.ReadFile(file))
	lines := strings.SplitAfter(string(whole), "\n")
	whole = []byte(strings.Join(lines[:3], ""))
	for cut := range whole { // as a kill may, and another part reads it so
		require.NoError(t, os.WriteFile(file, whole[:cut], 0o600))
		reader := world.Must(hunt.OpenDir(dir, 1))
		finds, err := reader.Next()
		require.NoError(t, err, "cut at %d", cut)
		require.Len(t, finds, strings.Count(string(whole[:cut]), "\n"))
		writer := world.Must(hunt.OpenDir(dir, 0))
		require.NoError(t, writer.Add(hunt.Find{Ticks: 7}))
		require.NoError(t, writer.Close())
		finds = world.Must(reader.Next())
		require.Equal(t, []hunt.Find{{Ticks: 7}}, finds)
		text := world.Must(os.ReadFile(file))
		require.True(t, bytes.HasSuffix(text, []byte("\"ticks\":7}\n")), "the torn line is gone")
		require.NoError(t, reader.Close())
	}
	whole[30] ^= 1
	require.NoError(t, os.WriteFile(file, whole, 0o600))
	_, err := part(t, maze(map[uint64]bool{}, 0), dir, o)
	require.ErrorIs(t, err, hunt.ErrCorpus)
	require.ErrorContains(t, err, file+": this corpus cannot be used: its line at byte 0 is damaged")
	wide := maze(map[uint64]bool{}, 0)
	wide.Inputs = 2
	_, err = hunt.Run(wide, hunt.Options{Corpus: &told{finds: []hunt.Find{{Inputs: []byte{1}}}}})
	require.ErrorContains(t, err, "1 bytes of inputs, and a tick has 2; give each game a corpus")
	full := errors.New("no space left")
	_, err = hunt.Run(wide, hunt.Options{Corpus: &told{fails: full}})
	require.ErrorIs(t, err, full)
	_, err = hunt.OpenDir(file, 0)
	require.ErrorContains(t, err, "give a folder that can be read and written")
	if runtime.GOOS == "linux" {
		d := world.Must(hunt.OpenDir(dir, 3))
		_, err := hunt.OpenDir(dir, 3)
		require.ErrorContains(t, err, "3.finds: this corpus cannot be used: another process is part 3")
		require.NoError(t, d.Close())
	}
}

// TestACorpusIsBounded: lines that are long, or more than there is room for, are named; what is read in
// several pieces is whole; and only files are opened.
func TestACorpusIsBounded(t *testing.T) {
	dir := t.TempDir()
	long := world.Must(json.Marshal(hunt.Find{Inputs: make([]byte, 4<<20)})) // 5.6 MB of text
	whole := bytes.Repeat(ledger.Append(nil, long), 13)                      // 73 MB
	require.NoError(t, os.WriteFile(filepath.Join(dir, "1.finds"), whole, 0o600))
	d := world.Must(hunt.OpenDir(dir, 0))
	require.Len(t, world.Must(d.Next()), 13)
	small := bytes.Repeat(ledger.Append(nil, []byte("{}")), 100)
	for _, name := range []string{"2.finds", "3.finds"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), small, 0o600))
	}
	hunt.SetRoom(d, 120*150)
	_, err := d.Next()
	require.ErrorIs(t, err, hunt.ErrCorpus)
	require.ErrorContains(t, err, "3.finds: this corpus cannot be used: all finds of the folder take more than")
	require.NoError(t, d.Close())
	require.NoError(t, os.Truncate(filepath.Join(dir, "1.finds"), 0))
	require.NoError(t, os.Truncate(filepath.Join(dir, "1.finds"), 1<<31)) // a hole
	d = world.Must(hunt.OpenDir(dir, 0))
	_, err = d.Next()
	require.ErrorContains(t, err, "1.finds: this corpus cannot be used: its line at byte 0 is damaged")
	require.NoError(t, d.Close())
	require.NoError(t, os.Mkdir(filepath.Join(dir, "5.finds"), 0o700))
	_, err = hunt.OpenDir(dir, 5)
	require.ErrorContains(t, err, "5.finds")
}

// TestTwoProcessesOfOnePartAreNoticed by the size of their file, where there are no locks.
func TestTwoProcessesOfOnePartAreNoticed(t *testing.T) {
	dir := t.TempDir()
	first := world.Must(hunt.OpenDir(dir, 4))
	require.NoError(t, first.Add(hunt.Find{Ticks: 1}))
	name := filepath.Join(dir, "4.finds")
	other := append(world.Must(os.ReadFile(name)), ledger.Append(nil, []byte(`{"ticks":2}`))...)
	require.NoError(t, os.WriteFile(name, other, 0o600))
	err := first.Add(hunt.Find{Ticks: 3})
	require.ErrorIs(t, err, hunt.ErrCorpus)
	require.ErrorContains(t, err, "another process is part 4; give each another number")
	require.Equal(t, string(other), string(world.Must(os.ReadFile(name))), "nothing is overwritten")
	require.NoError(t, first.Close())
}

// BenchmarkCorpus is a million finds that another part imports, by digest.
func BenchmarkCorpus(b *testing.B) {
	for range b.N {
		states, dir := uint64(0), b.TempDir()
		g := maze(map[uint64]bool{}, 0)
		g.Cover = func(_ world.State, note func(uint64)) { states++; note(states) }
		g.Step = func(s world.State, in []byte) (world.State, error) { // each state is another one
			for b := range allHeroes.In(s) {
				h := &world.Column(b, heroes)[0]
				h.X, h.Y = h.X*257+int32(in[0]), h.Y*263^h.X>>3
			}
			return s, nil
		}
		for n := range 2 {
			d := world.Must(hunt.OpenDir(dir, n))
			r := world.Must(hunt.Run(g, hunt.Options{
				Corpus: d, Part: n, Workers: 1, Deep: -1, Length: 20, Ticks: []int64{1_000_000, 1}[n],
				For: time.Hour,
			}))
			require.Nil(b, r.Failure, "%v", r)
			require.NoError(b, d.Close())
			b.Log(r, states)
		}
		d := world.Must(hunt.OpenDir(dir, 2))
		began := time.Now()
		finds := world.Must(d.Next())
		b.Logf("%d finds read in %v", len(finds), time.Since(began))
		require.NoError(b, d.Close())
	}
}
