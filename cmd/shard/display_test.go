package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
)

// A screen is what a terminal shows of what is written to it.
type screen struct {
	lines []string
}

// Write does what the table asks of a terminal: lines, upwards, erase.
func (s *screen) Write(b []byte) (int, error) {
	for text := string(b); text != ""; {
		var up int
		switch {
		case strings.HasPrefix(text, erase):
			text = text[len(erase):]
		case text[0] == '\x1b' && !strings.HasPrefix(text, inRed):
			if _, err := fmt.Sscanf(text, goUp, &up); err != nil {
				return 0, err
			}
			s.lines = s.lines[:len(s.lines)-up]
			text = text[strings.IndexByte(text, 'A')+1:]
		default:
			line, rest, _ := strings.Cut(text, "\n")
			s.lines = append(s.lines, line)
			text = rest
		}
	}
	return len(b), nil
}

// newScreen returns a display of lines on a terminal that is a few lines high.
func newScreen(width, height int, lines *[]tableLine) (*screen, *display) {
	s := &screen{}
	return s, &display{
		out: s, table: true, now: time.Now,
		fresh: func(string, int, int, terminal.Depth) []tableLine { return *lines },
		size:  func() (int, int) { return width, height },
	}
}

func TestATableIsDrawnInItsPlace(t *testing.T) {
	lines := []tableLine{{text: "one"}, {text: "two", red: true}}
	s, d := newScreen(20, 10, &lines)
	d.fresh = func(title string, _, _ int, _ terminal.Depth) []tableLine {
		assert.Equal(t, "table", title)
		return lines
	}
	d.show("table")
	assert.Equal(t, []string{"one", inRed + "two" + noColor}, s.lines)
	lines = []tableLine{{text: "ONE"}, {text: "TWO"}}
	d.show("table")
	assert.Equal(t, "one", s.lines[0], "it is too early")
	world.Must(d.Write([]byte("said\nhalf a ")))
	d.show("table")
	assert.Equal(t, []string{"said", "ONE", "TWO"}, s.lines)
	world.Must(d.Write([]byte("line\n")))
	d.show("table")
	world.Must(d.Write([]byte("no end")))
	lines[1].text = "last"
	d.end()
	assert.Equal(t, []string{"said", "half a line", "no end", "ONE", "last"}, s.lines)
	world.Must(d.Write([]byte("after\n")))
	assert.Equal(t, "after", s.lines[5])
}

func TestATableFitsTheTerminal(t *testing.T) {
	var lines []tableLine
	for i := range 30 {
		lines = append(lines, tableLine{text: fmt.Sprint("äöü line ", i)})
	}
	s, d := newScreen(8, 6, &lines)
	d.show("table")
	d.end()
	assert.Equal(t, []string{"äöü lin", "äöü lin", "äöü lin", "äöü lin", "… and 2"}, s.lines)
}

func TestOnlyTerminalsHaveATable(t *testing.T) {
	var out bytes.Buffer
	lines := func(string, int, int, terminal.Depth) []tableLine { return nil }
	d := newDisplay(&out, lines, func(string) string { return "xterm" })
	d.show("table")
	world.Must(d.Write([]byte("text\n")))
	d.now = func() time.Time { return time.Now().Add(logEvery) }
	d.show("table")
	d.show("table")
	d.end()
	assert.Equal(t, "table\ntext\ntable\n", out.String(), "its title, at once and each ten seconds")
}

type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.String()
}

// A shard that waits says so, between the reports of its ticks.
func TestAShardThatWaitsSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer // a timer writes
		f := joinFlags{simulation: simulation{Ticks: 30}, Shard: 2}
		tell := f.logTicks(&out)
		for tick := range uint64(20) {
			time.Sleep(time.Second)
			require.NoError(t, tell(tick, nil))
		}
		assert.Empty(t, out.text())
		time.Sleep(11 * time.Second)
		assert.Contains(t, out.text(), "waits for a neighbour or the server\" shard=2 for=10s\n")
		said := out.text()
		require.NoError(t, tell(30, nil))
		time.Sleep(time.Minute)
		assert.Equal(t, said, out.text())
	})
}

func TestTheBoardHasALinePerShard(t *testing.T) {
	b := newBoard(&simulation{Shards: 3, Objects: 1000})
	b.set(0, report.Report{Region: "nowhere", Tick: 9, Objects: 5, Stats: shard.Stats{Ticks: 9, Left: 3}})
	require.NoError(t, b.put(1, []byte(`{"Tick":7,"Region":"x 5 to 6","Stats":{"Arrived":2,"Ticks":4}}`)))
	b.tick(1, 8)
	b.state(2, restarts)
	require.Error(t, b.put(1, []byte(`{`)))
	var text []string
	for _, l := range b.table("head", 80, 24, terminal.Plain) {
		text = append(text, strings.Join(strings.Fields(l.text), " "))
		assert.Equal(t, strings.HasSuffix(l.text, restarts), l.red)
	}
	assert.Equal(t, []string{
		"head", "shard region tick objects in/tick out/tick lag state",
		"0 nowhere 9 5 0.0 0.3 0 runs", "1 x 5 to 6 8 0 0.5 0.0 1 runs",
		"2 x from 67 0 0 0.0 0.0 9 restarts",
	}, text)
}

// The flow is counted over the last second, and restarts for another process.
func TestTheFlowIsOfLate(t *testing.T) {
	b := newBoard(&simulation{Shards: 1, Objects: 1000})
	at := func(ticks, left int) {
		b.set(0, report.Report{Stats: shard.Stats{Ticks: ticks, Left: left}})
		b.earlier[0].at = b.earlier[0].at.Add(-2 * flowOver)
	}
	flow := func() float64 { _, out := b.earlier[0].flow(); return out }
	at(10, 10)
	assert.InDelta(t, 1, flow(), 1e-9)
	at(20, 60)
	assert.InDelta(t, 5, flow(), 1e-9)
	at(1, 0)
	at(3, 6)
	assert.InDelta(t, 3, flow(), 1e-9)
}

// strips returns reports of shards side by side, each with as many objects in its cells.
func strips(n int, objects uint16) (all []report.Report) {
	for i := range n {
		m := &report.Map{Width: mapWidth, Counts: make([]uint16, mapWidth*mapHeight)}
		for c := range m.Counts {
			if c%mapWidth*n/mapWidth == i {
				m.Counts[c] = objects
			}
		}
		all = append(all, report.Report{Shard: i, State: runs, Map: m})
	}
	return all
}

// Without colours, shards are drawn by their numbers, and killed shards by dots.
func TestAPictureOfNumbers(t *testing.T) {
	all := strips(3, 5)
	all[2].State = restarts
	all[0].Map.Counts[0] = 0 // in a corner below, on the left
	lines := picture(all, mapWidth, 16, terminal.Plain)
	require.Len(t, lines, 16)
	row := strings.Repeat("0", 32) + strings.Repeat("1", 32) + strings.Repeat(".", 32)
	assert.Equal(t, row, lines[0])
	assert.Equal(t, row, lines[15], "half a cell has objects")
	all[0].Map.Counts[mapWidth] = 0
	assert.Equal(t, " "+row[1:], picture(all, mapWidth, 16, terminal.Plain)[15])
	assert.Len(t, picture(all, 7, 5, terminal.Plain)[4], 7)
}

// With colours each shard has its own, a killed one none, and a line has as few codes as strips.
func TestAPictureOfColours(t *testing.T) {
	all := strips(3, 5)
	all[2].State = restarts
	codes := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for depth, want := range map[terminal.Depth][]string{
		terminal.TrueColour: {
			"\x1b[38;2;87;175;219;48;2;87;175;219m", "\x1b[38;2;219;87;136;48;2;219;87;136m",
			"\x1b[38;2;92;92;92;48;2;92;92;92m", noColor,
		},
		terminal.Colours256: {
			"\x1b[38;5;74;48;5;74m", "\x1b[38;5;168;48;5;168m", "\x1b[38;5;59;48;5;59m", noColor,
		},
	} {
		lines := picture(all, 60, 10, depth)
		require.Len(t, lines, 10)
		for _, l := range lines {
			assert.Equal(t, want, codes.FindAllString(l, -1))
			assert.Equal(t, strings.Repeat("▀", 60), codes.ReplaceAllString(l, ""))
		}
	}
}

// Where there is no room, or nothing is known, there is no picture.
func TestNoPicture(t *testing.T) {
	assert.Empty(t, picture(strips(2, 1), 80, shallowest-1, terminal.TrueColour))
	assert.Empty(t, picture(strips(2, 1), 0, 20, terminal.TrueColour))
	assert.Empty(t, picture([]report.Report{{State: starts}}, 80, 20, terminal.TrueColour))
	empty := picture(strips(2, 0), 80, 20, terminal.TrueColour)
	assert.Contains(t, empty[0], "\x1b[39;49m▀", "the terminal's own colour")
}

// A board's table has the picture above it, in what the terminal has left.
func TestTheTableHasAPicture(t *testing.T) {
	b := newBoard(&simulation{Shards: 4, Objects: 1000})
	for i, r := range strips(4, 1) {
		b.set(i, r)
	}
	assert.Len(t, b.table("", 80, 24, terminal.Plain), 22)
	assert.Len(t, b.table("", 80, 8, terminal.Plain), 6)
	b.state(2, restarts)
	assert.Contains(t, b.table("", 80, 24, terminal.Plain)[0].text, "1..")
}

// The maps of shards add up to the objects, ghosts aside.
func TestPlacesAreOfOwnObjects(t *testing.T) {
	f := runFlags{simulation: simulation{
		Shards: 2, Objects: 1000, Ticks: 3, Seed: 1, Speed: 1, Every: 10, Workers: 1,
	}}
	b := newBoard(&f.simulation)
	_, err := f.together(t.Context(), b, newDisplay(writer(func(text []byte) (int, error) {
		return len(text), nil
	}), b.table, func(string) string { return "" }))
	require.NoError(t, err)
	sum, ghosts := 0, 0
	for i, r := range b.reports() {
		ghosts += r.Stats.Ghosts
		for c, n := range r.Map.Counts {
			sum += int(n)
			if n > 0 {
				assert.InDelta(t, i, c%mapWidth*2/mapWidth, 0, "shard %d, cell %d", i, c)
			}
		}
	}
	assert.Equal(t, 1000, sum)
	assert.Positive(t, ghosts)
}
