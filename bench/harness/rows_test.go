package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRowsAreReadAsTheyWereWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	none, err := ReadRows(file)
	require.NoError(t, err)
	assert.Empty(t, none)
	rows := []Row{
		{"a", 16, "flatecs, \"x\"", "time", "ns/object", .25, 1234, "Ark", 1.5, "2026-01-01", "m, 2 cores"},
		{"b", 1, "Ark", "memory", "bytes/object", 0, -3, "", 0, "2026-01-02", "m"},
	}
	require.NoError(t, WriteRows(file, rows))
	got, err := ReadRows(file)
	require.NoError(t, err)
	assert.Equal(t, rows, got)
	for text, want := range map[string]string{
		"a,b\n":                             "its first line is not case,n,",
		strings.Join(head, ",") + "\nx,y\n": "wrong number of fields",
		strings.Join(head, ",") + "\na,x,,,,,,,,,\n":  ":2: strconv",
		strings.Join(head, ",") + "\na,1,,,,z,,,,,\n": ":2: strconv",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := ReadRows(file)
		assert.ErrorContains(t, err, want)
	}
}

func TestRowsTakeThePlaceOfThoseBefore(t *testing.T) {
	rows := []Row{{Case: "a", N: 1}, {Case: "b", N: 1}, {Case: "b", N: 2}, {Case: "c"}, {Case: "b", N: 1}}
	got := Replace(rows, []Row{{Case: "b", N: 1, Median: 7}, {Case: "b", N: 1, Median: 8}})
	assert.Equal(t, []Row{
		{Case: "a", N: 1},
		{Case: "b", N: 1, Median: 7},
		{Case: "b", N: 1, Median: 8},
		{Case: "b", N: 2},
		{Case: "c"},
	}, got)
	assert.Equal(t, append(rows[:4:4], Row{Case: "b", N: 1}, Row{Case: "d"}), Replace(rows, []Row{{Case: "d"}}))
	assert.Equal(t, rows, Replace(rows, nil))
}

// What goes one by one is compared with what goes one by one, and nothing with what is no library.
func TestComparedWithTheBestPeer(t *testing.T) {
	c := &Case{
		Name: "create", Per: "object", Against: []string{BestPeer}, Plain: []string{"slices"},
		Who: []string{"flatecs", "flatecs batch", "Ark", "Ark batch", "slices"},
	}
	r := NewTally(c.Who...)
	for _, slow := range []float64{1, 10, 2} { // rounds differ, ratios do not
		for i, ns := range []float64{30, 4, 20, 8, 1} {
			r.Add(c.Who[i], Measured{Measure: "time", Unit: "ns", Value: slow * ns, Samples: []float64{ns, 2 * ns}})
		}
	}
	var got []string
	for _, row := range r.Rows(c, 16) {
		got = append(got, fmt.Sprint(row.Contender, "; ", row.Measure, " ", row.Least, " ", row.Median, " ", row.Against, " ", row.Ratio))
	}
	assert.Equal(t, []string{
		"flatecs; time 30 60 Ark 1.5", "flatecs; time, p99 0 60  0", "flatecs; time, worst 0 60  0",
		"flatecs batch; time 4 8 Ark batch 0.5", "flatecs batch; time, p99 0 8  0", "flatecs batch; time, worst 0 8  0",
		"Ark; time 20 40  0", "Ark; time, p99 0 40  0", "Ark; time, worst 0 40  0",
		"Ark batch; time 8 16  0", "Ark batch; time, p99 0 16  0", "Ark batch; time, worst 0 16  0",
		"slices; time 1 2  0", "slices; time, p99 0 2  0", "slices; time, worst 0 2  0",
	}, got)
}

// counted is a case whose contenders count, and come to the same unless one is called liar.
func counted(who ...string) *Subject {
	return &Subject{Name: "test", Cases: []Case{{
		Name: "count", Per: "object", Who: who,
		Make: func(who string, n int) Work {
			if n < 0 {
				panic("no objects")
			}
			runs := 0
			return Work{
				Run: func() { runs++; time.Sleep(time.Microsecond) }, Reset: func() {}, Close: func() {}, Wall: true,
				Check: func() Result {
					if who == "liar" {
						runs++
					}
					return Result{Count: runs}
				},
			}
		},
	}}}
}

// TestMain lets this program be the one that contenders run in.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "work" {
		_ = Play(counted("flatecs", "Ark", "liar"), os.Args[2], os.Stdin, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// seats are those of this program.
func seats(t *testing.T) *Seats {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	s := &Seats{Command: []string{program, "work"}}
	t.Cleanup(s.Close)
	return s
}

func TestEverybodyTakesTurns(t *testing.T) {
	s := counted("flatecs", "Ark")
	rows, err := Measure(t.Context(), seats(t), &s.Cases[0], 4, Pace{Rounds: 3, Turn: time.Microsecond, Least: 3})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for i, r := range rows {
		assert.Equal(t, s.Cases[0].Who[i], r.Contender)
		assert.Equal(t, "ns/object", r.Unit)
		assert.Positive(t, r.Median)
	}
}

func TestDifferentResultsAreRefused(t *testing.T) {
	s := counted("flatecs", "liar")
	_, err := Measure(t.Context(), seats(t), &s.Cases[0], 4, Pace{Rounds: 1})
	require.EqualError(t, err, "count at 4: flatecs comes to {3 0 0}, liar to {4 0 0}")
	assert.True(t, Result{Sum: 1e9}.equals(Result{Sum: 1e9 + 1}))
	assert.False(t, Result{Sum: 1e9}.equals(Result{Sum: 1.001e9}))
	assert.False(t, Result{Hash: 1}.equals(Result{}))
}

func TestWhatAContenderDoesNotKnow(t *testing.T) {
	p := player{subject: counted("flatecs"), who: "flatecs"}
	require.ErrorContains(t, p.Turn(1, new(Turn)), "nothing was prepared")
	require.ErrorContains(t, p.Prepare(Job{"x", 1}, new(Result)), `test has no case "x"; --list names them`)
	assert.Panics(t, func() { _ = p.Prepare(Job{"count", -5}, new(Result)) })
	p.who = "Unity"
	assert.ErrorContains(t, p.Prepare(Job{"count", 1}, new(Result)), `"Unity" takes no part`)
}

func TestFramesRunBesideOtherWork(t *testing.T) {
	stopped, runs := false, 0
	turn := Frames(func() { runs++ }, func(stop <-chan struct{}) {
		<-stop
		stopped = true
	})(time.Millisecond)
	assert.True(t, stopped)
	assert.Len(t, turn.Figures[0].Samples, runs)
	assert.Positive(t, runs)
}
