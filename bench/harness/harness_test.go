package harness

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// counted is a case whose contenders count, and come to the same unless one is called liar.
func counted(who ...string) *Case {
	return &Case{
		Name: "count", Per: "object", Who: who, Make: func(who string, _ int) Work {
			runs := 0
			return Work{
				Run: func() { runs++; time.Sleep(time.Microsecond) }, Reset: func() {},
				Check: func() Result {
					if who == "liar" {
						runs++
					}
					return Result{Count: runs}
				},
			}
		},
	}
}

// TestMain lets this program be the one that contenders run in.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "work" {
		if os.Args[4] == "mute" {
			os.Exit(1)
		}
		w, err := counted("flatecs", "Ark", "liar").Work(os.Args[4], 4)
		if err == nil {
			err = Play(w, os.Stdin, os.Stdout)
		}
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestStatistics(t *testing.T) {
	assert.Zero(t, Median(nil))
	assert.InDelta(t, 2, Median([]float64{3, 1, 2}), 0)
	assert.InDelta(t, 2.5, Median([]float64{4, 1, 2, 3}), 0)
	// Within each round one takes half as long, though the rounds themselves differ.
	assert.InDelta(t, .5, ratio([]float64{1, 10, 3}, []float64{2, 20, 6}), 0)
	assert.Zero(t, ratio([]float64{1}, []float64{0}))
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "", .1234: "0.123", .00123: "0.00123", 9.987: "9.99", 12.34: "12.3", 123.6: "124",
		1234567: "1234567", -.5: "-0.5",
	} {
		assert.Equal(t, want, Number(x))
	}
}

func TestEverybodyTakesTurns(t *testing.T) {
	c := counted("flatecs", "Ark")
	rows := world.Must(Measure(t.Context(), "test", c, 4, Pace{Rounds: 3, Turn: time.Microsecond}))
	require.Len(t, rows, 2)
	for i, r := range rows {
		assert.Equal(t, c.Who[i], r.Contender)
		assert.Equal(t, "ns/object", r.Unit)
		assert.Positive(t, r.Median)
	}
}

func TestContendersThatFailEndTheRun(t *testing.T) {
	measure := func(ctx context.Context, who string) error {
		_, err := Measure(ctx, "test", counted("flatecs", who), 4, Pace{Rounds: 1})
		return err
	}
	require.EqualError(t, measure(t.Context(), "liar"),
		"count at 4: flatecs comes to {3 0 0}, liar to {4 0 0}")
	err := measure(t.Context(), "mute")
	require.ErrorContains(t, err, "mute, count at 4: EOF")
	require.ErrorContains(t, err, "exit status 1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, measure(ctx, "Ark"), context.Canceled)
	assert.True(t, Result{Sum: 1e9}.equals(Result{Sum: 1e9 + 1}))
	assert.False(t, Result{Sum: 1e9}.equals(Result{Sum: 1.001e9}))
	assert.False(t, Result{Hash: 1}.equals(Result{}))
}

func TestWhatIsNotThereIsNamed(t *testing.T) {
	s := Subject{Name: "test", Cases: []Case{*counted("flatecs")}}
	_, err := s.Case("x")
	require.EqualError(t, err, `test has no case "x"; --list names them`)
	c := world.Must(s.Case("count"))
	_, err = c.Work("Unity", 1)
	require.EqualError(t, err, `"Unity" takes no part in count; there are flatecs`)
}

// A figure is of as many objects as a work says, and of its own way to measure if it has one.
func TestFiguresOfAWork(t *testing.T) {
	play := func(w Work) (out string) {
		w.Check, w.Close = func() Result { return Result{Count: 7} }, func() {}
		var b strings.Builder
		require.NoError(t, Play(w, strings.NewReader("1000\n"), &b))
		return b.String()
	}
	known := play(Known("bytes", 7, nil, nil))
	assert.Equal(t, `{"Count":7,"Sum":0,"Hash":0,"Figures":null}
{"Count":0,"Sum":0,"Hash":0,"Figures":[{"Measure":"memory","Unit":"bytes","Value":7}]}
`, known)
	timed := play(Work{Run: func() { time.Sleep(time.Microsecond) }, Of: 1000})
	assert.Contains(t, timed, `{"Measure":"time","Unit":"ns","Value":`)
	w := world.Must(counted("flatecs").Work("flatecs", 5))
	assert.Equal(t, 5, w.Of)
	assert.Error(t, Play(w, strings.NewReader("soon\n"), new(strings.Builder)))
}

// This library is compared with the fastest of the others, and nothing with what is no library.
func TestComparedWithTheBestPeer(t *testing.T) {
	c := &Case{
		Name: "create", Per: "object", Against: []string{BestPeer, "slices"},
		Who: []string{"flatecs", "flatecs as README", "Ark", "uot", "slices"},
	}
	all := tally{values: map[key][]float64{}}
	for _, slow := range []float64{1, 10, 2} { // rounds differ, ratios do not
		for i, ns := range []float64{30, 4, 20, 40, 1} {
			all.add(c.Who[i], Measured{Measure: "time", Unit: "ns", Value: slow * ns})
		}
	}
	var got []string
	for _, row := range all.rows(c, 16) {
		got = append(got, fmt.Sprint(row.Contender, "; ", row.Measure, " ", row.Least, " ", row.Median, " ", row.Against, " ", row.Ratio))
	}
	assert.Equal(t, []string{
		"flatecs; time 30 60 Ark 1.5", "flatecs; time 30 60 slices 30",
		"flatecs as README; time 4 8 Ark 0.2", "flatecs as README; time 4 8 slices 4",
		"Ark; time 20 40  0", "uot; time 40 80  0", "slices; time 1 2  0",
	}, got)
}

func TestRowsAreReadAsTheyWereWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	assert.Empty(t, world.Must(ReadRows(file)))
	rows := []Row{
		{"a", 16, "flatecs, \"x\"", "time", "ns/object", .25, 1234, "Ark", 1.5, "2026-01-01", "m, 2 cores"},
		{"b", 1, "Ark", "memory", "bytes/object", 0, -3, "", 0, "2026-01-02", "m"},
	}
	require.NoError(t, WriteRows(file, rows))
	assert.Equal(t, rows, world.Must(ReadRows(file)))
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

func TestResidentMemory(t *testing.T) {
	if Resident() == 0 {
		t.Skip("there is no /proc/self/statm")
	}
	const size = 64 << 20
	before := Resident()
	b := bytes.Repeat([]byte{1}, size)
	assert.Greater(t, Resident(), before+size/2)
	runtime.KeepAlive(b)
}
