package table_test

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arrow/table"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

type params struct {
	Side  int
	Rate  float64
	Fast  bool
	Title string
}

var errSide = errors.New("the side is 3")

// sweepTo sweeps a model of 700 steps that fails with one of its parameters.
func sweepTo(dst lab.Sink) error {
	return lab.Sweep[params]{
		Params: []params{{1, .5, true, "a"}, {2, 1.5, false, "b, c"}, {3, 2, false, ""}},
		Seeds:  lab.Seeds(1, 2),
		Counts: func(params) world.Counts { return world.Counts{GameObjects: 64} },
		Setup: func(s world.State, p params) (world.State, error) {
			if p.Side == 3 {
				return s, errSide
			}
			return s, nil
		},
		Step:  func(s world.State) (world.State, error) { return world.Advance(s), nil },
		Steps: 700, Every: 1,
		Reports: []lab.Reporter{lab.Report("tick", func(s world.State) float64 {
			return float64(world.Tick(s))
		})},
	}.Run(context.Background(), dst)
}

// What is read back is the table that a sweep has in memory.
func TestStreamsAreTheTable(t *testing.T) {
	var want lab.Table
	require.Error(t, sweepTo(&want))
	var b bytes.Buffer
	require.Error(t, sweepTo(table.New(&b)))
	r := world.Must(ipc.NewReader(&b))
	row := 0
	for r.Next() {
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			for c, v := range want.Rows[row] {
				require.Equal(t, v.Missing(), batch.Column(c).IsNull(i))
				if !v.Missing() {
					require.Equal(t, v.String(), textOf(batch.Column(c).ValueStr(i)))
				}
			}
			row++
		}
	}
	require.NoError(t, r.Err())
	assert.Len(t, want.Rows, row)
	var types []string
	for _, f := range r.Schema().Fields() {
		types = append(types, f.Name+" "+f.Type.String())
	}
	assert.Equal(t, []string{
		"side int64", "rate float64", "fast bool", "title utf8", "seed uint64", "step int64",
		"tick float64", "error utf8",
	}, types)
}

// textOf writes a number as lab.Value does.
func textOf(text string) string {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return text
}

func TestEmptyTablesAndOtherTypes(t *testing.T) {
	var b bytes.Buffer
	s := table.New(&b)
	require.NoError(t, s.Begin([]string{"a", "error"}))
	require.NoError(t, s.End())
	r := world.Must(ipc.NewReader(&b))
	assert.Equal(t, 2, r.Schema().NumFields())
	assert.False(t, r.Next())

	var rows lab.Table
	require.Error(t, sweepTo(&rows))
	require.NoError(t, s.Begin([]string{"side", "rate"}))
	require.ErrorContains(t, s.Row(rows.Rows[0]), "8 values in a table of 2 columns")
	require.NoError(t, s.Row(rows.Rows[0][:2]))
	require.ErrorContains(t, s.Row(rows.Rows[0][1:3]), "float64 in column side of int64")
	require.NoError(t, s.Row(rows.Rows[3][:2]))
	require.NoError(t, s.End())
	require.Panics(t, func() { table.New(nil) })
}

// A recorder that writes Arrow allocates for a batch, and not for each row.
func TestRowsTakeNoMemory(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 64}))
	defer world.Close(s)
	var sink lab.Sink = table.New(&bytes.Buffer{})
	r := world.Must(lab.NewRecorder(sink, 1, lab.Report("x", func(world.State) float64 { return 1 })))
	require.NoError(t, r.Observe(s))
	assert.Zero(t, testing.AllocsPerRun(500, func() { _ = r.Observe(s) }))
	require.NoError(t, r.Close())
}
