package lab_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

var (
	roomy  = layout.NewComponent[float64]("roomy")
	guest  = world.NewRecipe("guest", roomy)
	free   = world.Counts{Kinds: layout.Kinds(roomy), Recipes: []world.Recipe{guest}}
	digest = lab.Digest("digest")
)

// A world of free room: its digest is in each table as flatecs prints it, to be compared by eye.
func TestDigestsAreWrittenAsOthersPrintThem(t *testing.T) {
	s := world.Must(world.CreateState(free))
	defer func() { world.Close(s) }()
	var asCSV, asJSON bytes.Buffer
	var table lab.Table
	sinks := []lab.Sink{lab.NewCSV(&asCSV), lab.NewNDJSON(&asJSON), &table}
	var recorders []*lab.Recorder
	for _, dst := range sinks {
		recorders = append(recorders, world.Must(lab.NewRecorder(dst, 1, lab.Of(roomy).Sum("sum"), digest)))
	}
	var want []string
	for i := range 40 {
		next, id, err := world.Spawn(s, guest)
		require.NoError(t, err)
		s = world.Must(world.Set(next, id, roomy, float64(i)))
		want = append(want, fmt.Sprintf("%016x", world.Digest(s)))
		for _, r := range recorders {
			require.NoError(t, r.Observe(s))
		}
	}
	for _, r := range recorders {
		require.NoError(t, r.Close())
	}
	rows, lines := strings.Fields(asCSV.String()), json.NewDecoder(&asJSON)
	for i, text := range want {
		assert.Equal(t, text, rows[1+i][strings.LastIndex(rows[1+i], ",")+1:])
		var line struct{ Digest string }
		require.NoError(t, lines.Decode(&line))
		assert.Equal(t, text, line.Digest)
		cell := table.Rows[i][2]
		bits, whole := cell.Uint64()
		assert.True(t, whole)
		assert.Equal(t, text, fmt.Sprintf("%016x", bits))
		assert.Equal(t, text, cell.String())
		assert.Equal(t, reflect.Uint64, cell.Kind())
	}
}

// Digests whose bits are NaN, infinite or 0 as numbers are digests all the same.
func TestDigestsOfAnyBitsGoThroughJournals(t *testing.T) {
	for _, bits := range []uint64{
		0, 1, math.MaxUint64, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000001, 1 << 63,
		0xfff0000000000000, 0xfff4000000000000, 0x8000000000000001, 0x0123456789abcdef,
	} {
		text := lab.JournalCell(bits)
		assert.Equal(t, fmt.Sprintf(`"%016x"`, bits), text)
		back, cell, err := lab.FromJournal(text)
		require.NoError(t, err)
		assert.Equal(t, bits, back)
		assert.Equal(t, fmt.Sprintf("%016x", bits), cell.String())
	}
	for _, text := range []string{"", `""`, "null", `"x"`, `"10000000000000000"`, "{}", "1e3"} {
		_, _, err := lab.FromJournal(text)
		assert.Error(t, err, text)
	}
}

// A plot has numbers: digests are rounded there.
func TestAPanelRoundsDigests(t *testing.T) {
	s := world.Must(world.CreateState(free))
	defer func() { world.Close(s) }()
	p := world.Must(lab.NewPanel(lab.Of(roomy).Sum("sum"), digest, lab.Count("n", world.With(roomy))))
	dst := make([]float64, 3)
	for range 9 {
		s = world.Must(world.SpawnN(s, guest, 1, nil))
		require.NoError(t, p.Read(dst, s))
		assert.Equal(t, float64(world.Digest(s)), dst[1])
	}
}
