package hand_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
)

// keeps has a program keep the tick and the digest of its world, and says what came of those of the
// program before: whether they are its world's, and how much was lost.
func keeps(h *hand.Hand, dir string, s *world.State) {
	of := func(dst []byte) []byte {
		return fmt.Appendf(dst, "%d %x", world.Tick(*s), world.Digest(*s))
	}
	h.Keep("world", of)
	h.Keep("long", func(dst []byte) []byte { return append(dst, bytes.Repeat(of(nil), 3000)...) })
	same := string(h.Bytes("world")) == string(of(nil)) &&
		string(h.Bytes("long")) == strings.Repeat(string(of(nil)), 3000)
	f, err := os.OpenFile(filepath.Join(dir, "kept"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	die("kept", err)
	_, err = fmt.Fprintf(f, "%d %t %d %d\n", os.Getpid(), same, world.Tick(*s), h.Lost())
	die("kept", err)
	die("kept", f.Close())
}

// A life is what a program that keeps has said of its beginning.
type life struct {
	pid  int
	same bool
	tick int
	lost time.Duration
}

// lives returns the lives so far.
func (g *stage) lives() (all []life) {
	g.t.Helper()
	text, err := os.ReadFile(filepath.Join(g.dir, "kept"))
	require.NoError(g.t, err)
	for text := range strings.Lines(string(text)) {
		var l life
		_, err := fmt.Sscan(text, &l.pid, &l.same, &l.tick, &l.lost)
		require.NoError(g.t, err)
		all = append(all, l)
	}
	return all
}

// last returns the last life.
func (g *stage) last() life {
	g.t.Helper()
	all := g.lives()
	return all[len(all)-1]
}

// TestBytesAreOfTheWorldsStep: programs are killed at any moment, handed over and undone, and the
// next one, which is started at once, has the world and what was said of it, and knows how much was
// lost at most.
func TestBytesAreOfTheWorldsStep(t *testing.T) {
	const step = 200 * time.Microsecond // that one takes at least
	turns := 24
	if testing.Short() {
		turns = 8
	}
	g := playing(t, "f1-keeps-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Revive: time.Nanosecond, Undo: 2, Deadline: time.Minute,
	})
	g.played(50) // there is a copy
	random := rand.New(rand.NewPCG(1, 2))
	for n := range turns {
		g.played(1 + random.IntN(40))
		switch {
		case n%4 == 1:
			g.takesOver(fmt.Sprint("f1-keeps-", n))
			assert.Zero(t, g.last().lost)
		case n%8 == 7:
			g.undo()
			g.after(hand.Undone)
			assert.Positive(t, g.last().lost)
		default:
			require.NoError(t, syscall.Kill(g.last().pid, syscall.SIGKILL))
			e := g.after(hand.Died)
			says := g.says()
			g.after(hand.Plays)
			now := g.last()
			assert.Equal(t, int(e.Tick), now.tick)
			behind := says[len(says)-1].tick - now.tick
			assert.LessOrEqual(t, time.Duration(behind-1)*step, now.lost)
		}
		require.True(t, g.last().same)
	}
	g.terminate()
	want := inFreeRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestWhoDiesAtOnceIsNotStartedAgain: the supervisor ends, if nobody else would start another one.
func TestWhoDiesAtOnceIsNotStartedAgain(t *testing.T) {
	g := playing(t, "f1-exit-later", 0, hand.Supervisor{
		Keep: time.Millisecond, Revive: time.Hour, Deadline: time.Minute,
	})
	g.played(10)
	g.now(true)
	g.after(hand.Died)
	g.now(false)
	g.takesOver("f1-a") // it waits for that
	g.terminate()
}
