package harness

import (
	"context"
	"errors"
	"io"
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
	hired, left := 0, 0
	s := Seats{Hire: func(_ context.Context, name string) (Seat, error) {
		if name == "nobody" {
			return nil, io.EOF
		}
		hired++
		return &fake{&left}, nil
	}}
	var got string
	require.NoError(t, s.Ask(t.Context(), "one", "hello", &got))
	require.NoError(t, s.Ask(t.Context(), "one", "again", &got))
	assert.Equal(t, "again", got)
	assert.Equal(t, 1, hired)
	require.ErrorIs(t, s.Ask(t.Context(), "nobody", "", &got), io.EOF)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Ask(ctx, "one", "", &got), context.Canceled)
	s.Close()
	assert.Equal(t, 1, left)
}

// fake repeats what it is asked.
type fake struct{ left *int }

func (f *fake) Ask(line string, answer any) error {
	text, ok := answer.(*string)
	if !ok {
		return errors.New("no text")
	}
	*text = line
	return nil
}

func (f *fake) Leave() { *f.left++ }

func TestOutsideProcess(t *testing.T) {
	seat, err := Start(t.Context(), "cat", "cat")
	require.NoError(t, err)
	var a struct{ N int }
	require.NoError(t, seat.Ask(`{"N": 7}`, &a))
	assert.Equal(t, 7, a.N)
	require.EqualError(t, seat.Ask(`{"Error": "no"}`, &a), `cat, at "{\"Error\": \"no\"}": no`)
	seat.Leave()
	assert.ErrorContains(t, seat.Ask("{}", &a), "its process ended")
}
