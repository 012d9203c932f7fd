package jsonout

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"testing"
)

func TestFloat32IsWrittenAsEncodingJSONWritesIt(t *testing.T) {
	values := []float32{
		0, float32(math.Copysign(0, -1)), 1, -1, 0.1, 1.0 / 3, 16777216, 1e20, 1e21, -1e21, 9.9999998e20,
		1e-6, 9.9e-7, 1e-7, -1e-10, math.MaxFloat32, math.SmallestNonzeroFloat32, math.Pi,
	}
	for bits := uint32(1); bits < 0x7f800000; bits += 0x00123457 {
		values = append(values, math.Float32frombits(bits))
	}
	for _, value := range values {
		want, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendFloat32(nil, value); !bytes.Equal(got, want) {
			t.Errorf("bits %#x: got %s, want %s", math.Float32bits(value), got, want)
		}
	}
}

func TestFloat32WithoutAJSONNumberIsNull(t *testing.T) {
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := appendFloat32(nil, float32(value)); string(got) != "null" {
			t.Errorf("%v: got %s, want null", value, got)
		}
	}
}

func TestWriterPrintsObjects(t *testing.T) {
	var text bytes.Buffer
	out := bufio.NewWriter(&text)
	w := New(out)
	for range 2 {
		writeSample(w)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	line := `{"empty":{},"some":{"0":-7,"10":null},"list":[1,0.5],"none":[]}` + "\n"
	if got, want := text.String(), line+line; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestWriterDoesNotAllocate(t *testing.T) {
	w := New(bufio.NewWriterSize(io.Discard, 64))
	n := testing.AllocsPerRun(10, func() {
		for range 1000 { // often enough to meet the end of the buffer at every place
			writeSample(w)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

var sample = []float32{1, 0.5}

func writeSample(w *Writer) {
	w.Open()
	w.Name("empty")
	w.Open()
	w.Close()
	w.Name("some")
	w.Open()
	w.Index(0)
	w.Int(-7)
	w.Index(10)
	w.Null()
	w.Close()
	w.Name("list")
	w.Floats(sample)
	w.Name("none")
	w.Floats(nil)
	w.Close()
	w.EndLine()
}
