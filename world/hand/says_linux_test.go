package hand_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/flatecs/flatecs/world"
)

// A line is what a program has said.
type line struct {
	version string
	tick    int
	digest  string
}

// says returns all that programs have said so far. It reads what came since the last call.
func (g *stage) says() []line {
	f, err := os.Open(filepath.Join(g.dir, "says"))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, g.read, math.MaxInt64-g.read))
	if err != nil {
		return g.said
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	g.read += int64(len(text))
	for text := range bytes.Lines(text) {
		var l line
		if words := strings.Fields(string(text)); len(words) == 3 {
			l.version, l.digest = words[0], words[2]
			if l.tick, err = strconv.Atoi(words[1]); err == nil {
				g.said = append(g.said, l)
			}
		}
	}
	return g.said
}

// An undisturbed world is one that nobody hands over. It plays as far as somebody asks.
type undisturbed struct {
	s       world.State
	step    func(world.State) world.State
	digests []string // of the ticks from the first one on
}

var (
	inCountedRoom = sync.OnceValue(func() *undisturbed {
		return &undisturbed{s: world.Must(fresh()), step: step}
	})
	inFreeRoom = sync.OnceValue(func() *undisturbed {
		return &undisturbed{s: world.Must(freshFree()), step: step}
	})
)

// at returns the digest at a tick; none beyond those that any test comes to.
func (u *undisturbed) at(tick uint64) string {
	const first, most = 1, 100_000
	if tick < first || tick > most {
		return ""
	}
	for uint64(len(u.digests)) <= tick-first {
		if len(u.digests) > 0 {
			u.s = u.step(u.s)
		}
		u.digests = append(u.digests, fmt.Sprintf("%x", world.Digest(u.s)))
	}
	return u.digests[tick-first]
}
