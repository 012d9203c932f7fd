package jsonout

import (
	"bufio"
	"math"
	"strconv"
)

// Writer prints JSON onto a buffered writer. Names are written as they are: they must not need
// escaping.
type Writer struct {
	out   *bufio.Writer
	comma bool // a name or a closing brace follows a value
}

// New returns a Writer onto out. The caller flushes out.
func New(out *bufio.Writer) *Writer { return &Writer{out: out} }

// Open begins an object.
func (w *Writer) Open() {
	_ = w.out.WriteByte('{')
	w.comma = false
}

// Close ends the object begun last.
func (w *Writer) Close() {
	_ = w.out.WriteByte('}')
	w.comma = true
}

// EndLine ends the line; the next object starts a new one.
func (w *Writer) EndLine() {
	_ = w.out.WriteByte('\n')
	w.comma = false
}

// Name writes the name of the value that follows.
func (w *Writer) Name(name string) {
	w.separate()
	_ = w.out.WriteByte('"')
	_, _ = w.out.WriteString(name)
	_, _ = w.out.WriteString(`":`)
}

// Index writes a number as the name of the value that follows.
func (w *Writer) Index(index int) {
	w.separate()
	b := append(w.room(), '"')
	b = strconv.AppendInt(b, int64(index), 10)
	_, _ = w.out.Write(append(b, '"', ':'))
}

// Int writes an integer.
func (w *Writer) Int(value int) {
	_, _ = w.out.Write(strconv.AppendInt(w.room(), int64(value), 10))
	w.comma = true
}

// Float32 writes the shortest text that reads back the same float32, in the form of encoding/json;
// NaN and the infinities, which JSON lacks, as null.
func (w *Writer) Float32(value float32) {
	_, _ = w.out.Write(appendFloat32(w.room(), value))
	w.comma = true
}

// Floats writes an array of float32.
func (w *Writer) Floats(values []float32) {
	_ = w.out.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			_ = w.out.WriteByte(',')
		}
		w.Float32(value)
	}
	_ = w.out.WriteByte(']')
	w.comma = true
}

// Null writes null.
func (w *Writer) Null() {
	_, _ = w.out.WriteString("null")
	w.comma = true
}

// room returns the free part of the buffer, with room for any number.
func (w *Writer) room() []byte {
	const longest = 32 // bytes; a quoted int64, and a colon, needs 23
	if w.out.Available() < longest {
		_ = w.out.Flush()
	}
	return w.out.AvailableBuffer()
}

func (w *Writer) separate() {
	if w.comma {
		_ = w.out.WriteByte(',')
	}
}

func appendFloat32(dst []byte, value float32) []byte {
	wide := float64(value)
	if math.IsNaN(wide) || math.IsInf(wide, 0) {
		return append(dst, "null"...)
	}
	size := float32(math.Abs(wide))
	if size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, wide, 'f', -1, 32)
	}
	dst = strconv.AppendFloat(dst, wide, 'e', -1, 32)
	// strconv writes e-07 where JSON writes e-7.
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
