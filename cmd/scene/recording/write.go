package recording

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Writer writes a recording. It keeps the first error, and what comes after one is not written.
type Writer struct {
	out   *bufio.Writer
	steps uint64
}

// NewWriter begins a recording. The error wraps [ErrFormat] for a head that could not be read
// again.
func NewWriter(w io.Writer, h Head) (*Writer, error) {
	h.Build = strings.Map(printable, h.Build)
	h.Build = h.Build[:min(len(h.Build), maxLine-len("build \n"))]
	var text strings.Builder
	text.WriteString(magic + "\n")
	for _, f := range h.fields() {
		text.WriteString(f.name + " " + f.text() + "\n")
	}
	if again, err := NewReader(strings.NewReader(text.String())); err != nil {
		return nil, err
	} else if again.Head != h {
		return nil, fmt.Errorf("recording: %+v: %w; name scene and variant by plain words",
			h, ErrFormat)
	}
	out := bufio.NewWriter(w)
	_, err := out.WriteString(text.String())
	return &Writer{out: out}, err
}

// printable keeps what fits a line of ASCII.
func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}

// Add writes down the next step.
func (w *Writer) Add(s Step) error {
	w.steps++
	_, err := fmt.Fprintf(w.out, lineOfStep, w.steps, uint8(s.Input), s.Digest)
	return err
}

// Close ends the recording. It does not close what was given to NewWriter.
func (w *Writer) Close() error {
	_, err := fmt.Fprintf(w.out, "end %d\n", w.steps)
	if flushErr := w.out.Flush(); err == nil {
		err = flushErr
	}
	return err
}
