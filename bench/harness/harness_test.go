package harness

import (
	"context"
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
	s.Command = []string{"true"}
	require.Error(t, s.Call(t.Context(), "Ark", "Turn", time.Millisecond, &turn), "it has ended")
	s.Command = []string{"/dev/null"}
	assert.ErrorContains(t, s.Call(t.Context(), "liar", "Turn", time.Millisecond, &turn),
		"permission denied")
}
