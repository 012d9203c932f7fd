package harness

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatistics(t *testing.T) {
	assert.Zero(t, Median(nil))
	assert.InDelta(t, 2, Median([]float64{3, 1, 2}), 0)
	assert.InDelta(t, 2.5, Median([]float64{4, 1, 2, 3}), 0)
	assert.InDelta(t, 1.75, Quantile([]float64{4, 1, 2, 3}, .25), 0)
	assert.InDelta(t, 4, Quantile([]float64{4, 1, 2, 3}, 1), 0)
	// Within each round one takes half as long, though the rounds themselves differ.
	assert.InDelta(t, .5, Ratio([]float64{1, 10, 3}, []float64{2, 20, 6}), 0)
	assert.Zero(t, Ratio([]float64{1}, []float64{0}))
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "", .1234: "0.123", .00123: "0.00123", 9.987: "9.99", 12.34: "12.3", 123.6: "124",
		1234567: "1234567", -.5: "-0.5",
	} {
		assert.Equal(t, want, Number(x))
	}
}

func TestSeats(t *testing.T) {
	s := seats(t)
	var r Result
	require.NoError(t, s.Call(t.Context(), "Ark", "Prepare", Job{"count", 4}, &r))
	assert.Equal(t, 3, r.Count)
	require.NoError(t, s.Call(t.Context(), "liar", "Prepare", Job{"count", 4}, &r))
	assert.Equal(t, 4, r.Count)
	var turn Turn
	require.NoError(t, s.Call(t.Context(), "Ark", "Turn", time.Millisecond, &turn), "the same process")
	assert.Positive(t, turn.Figures[0].Value)
	require.EqualError(t, s.Call(t.Context(), "Ark", "Prepare", Job{"x", 1}, &r),
		`Ark, at Prepare {x 1}: test has no case "x"; --list names them`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Call(ctx, "Ark", "Prepare", Job{"count", 4}, &r), context.Canceled)
	s.Close()
	require.ErrorContains(t, s.Call(t.Context(), "Ark", "Turn", time.Millisecond, &turn),
		"nothing was prepared", "another process")
	s.Close()
	s.Command = []string{"sh", "-c", "exec sleep 60"}
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Call(soon, "Ark", "Turn", time.Millisecond, &turn), context.DeadlineExceeded)
	s.Close()
	s.Command = []string{"true"}
	require.Error(t, s.Call(t.Context(), "Ark", "Turn", time.Millisecond, &turn), "it has ended")
	s.Command = []string{"/dev/null"}
	assert.ErrorContains(t, s.Call(t.Context(), "liar", "Turn", time.Millisecond, &turn),
		"permission denied")
}

// A figure is of as many objects as a work says, and of its own way to measure if it has one.
func TestFiguresOfAWork(t *testing.T) {
	s := &Subject{Cases: []Case{{Name: "of", Who: []string{"one", "other"}, Make: func(who string, _ int) Work {
		w := Work{Run: func() {}, Check: func() Result { return Result{} }, Close: func() {}, Of: 1000}
		if who == "other" {
			return Known("bytes", 7, w.Check, w.Close)
		}
		return w
	}}}}
	one, other := player{subject: s, who: "one"}, player{subject: s, who: "other"}
	var turn Turn
	for _, p := range []*player{&one, &other} {
		require.NoError(t, p.Prepare(Job{"of", 5}, new(Result)))
		require.NoError(t, p.Turn(time.Microsecond, &turn))
	}
	assert.Equal(t, 1000, one.n)
	assert.Equal(t, 5, other.n)
	assert.Equal(t, []Measured{{Measure: "memory", Unit: "bytes", Value: 7}}, turn.Figures)
}

func TestResidentMemory(t *testing.T) {
	const size = 64 << 20
	before := Resident()
	b := bytes.Repeat([]byte{1}, size)
	assert.Greater(t, Resident(), before+size/2)
	runtime.KeepAlive(b)
}
