package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world/shard/report"
)

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

// Without colours, shards are drawn by their numbers, and those that are killed by dots.
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
