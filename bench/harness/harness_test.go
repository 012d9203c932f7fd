package harness

import (
	"context"
	"strings"
	"testing"

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

func TestServeAnswersAndCatches(t *testing.T) {
	var out strings.Builder
	err := Serve(strings.NewReader("a\nb\n"), &out, func(line string) any {
		if line == "b" {
			panic("no")
		}
		return map[string]int{"Length": len(line)}
	})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"Length":1}`, `{"Error":"no"}`}, strings.Fields(out.String()))
}

func TestSeats(t *testing.T) {
	s := Seats{Command: []string{"sh", "-c", `echo "{\"N\": $0}"; exec cat`}}
	var a struct{ N int }
	require.NoError(t, s.Ask(t.Context(), "7", `{"Error": " no "}`, &a))
	assert.Equal(t, 7, a.N)
	require.NoError(t, s.Ask(t.Context(), "8", "{}", &a))
	assert.Equal(t, 8, a.N)
	require.EqualError(t, s.Ask(t.Context(), "7", "{}", &a), `7, at "{}": no`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Ask(ctx, "7", "", &a), context.Canceled)
	s.Close()
	require.NoError(t, s.Ask(t.Context(), "7", "{}", &a))
	assert.Equal(t, 7, a.N, "another process")
	s.Close()
	s.Command = []string{"true"}
	require.ErrorContains(t, s.Ask(t.Context(), "7", "{}", &a), "its process ended")
	s.Command = []string{"/dev/null"}
	assert.ErrorContains(t, s.Ask(t.Context(), "8", "{}", &a), "permission denied")
}
