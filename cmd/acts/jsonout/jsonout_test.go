package jsonout_test

import (
	"bufio"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

func TestEachValueIsPrintedInOrder(t *testing.T) {
	list := jsonout.Each([]int{-7, 3}, func(i, x int) (name, value any) { return 10 - i, x })
	var text strings.Builder
	out := bufio.NewWriterSize(&text, 16)
	jsonout.Write(out, jsonout.Of("empty", jsonout.Of(), "some", list, "list", []float32{1, 0.5},
		"none", []float32{}, "nothing", nil, "small", float32(1e-7), "large", float32(1e21),
		"beyond", []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}))
	require.NoError(t, out.Flush())
	want := `{"empty":{},"some":{"10":-7,"9":3},"list":[1,0.5],"none":[],"nothing":null,` +
		`"small":1e-7,"large":1e+21,"beyond":[null,null,null]}`
	if text.String() != want { // to the byte
		t.Errorf("got %s, want %s", &text, want)
	}
}
