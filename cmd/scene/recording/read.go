package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/cmd/scene"
)

// A Reader reads a recording step by step, in little memory whatever it is given.
type Reader struct {
	Head Head

	in    *bufio.Reader
	line  int // number of the last one read
	steps uint64
	ended bool

	returned bool // the line before ended in a carriage return
}

// NewReader reads a recording's head. The error wraps [ErrFormat], [ErrCut], or is that of r.
func NewReader(r io.Reader) (*Reader, error) {
	read := &Reader{in: bufio.NewReaderSize(r, maxLine)}
	first, err := read.next()
	if err != nil {
		return nil, err
	}
	if first = strings.TrimPrefix(first, "\ufeff"); first != magic {
		return nil, read.refuse("begins with %q, not %q", first, magic)
	}
	for _, f := range read.Head.fields() {
		line, err := read.next()
		if err != nil {
			return nil, err
		}
		value, ok := strings.CutPrefix(line, f.name+" ")
		if !ok {
			return nil, read.refuse("is %q, not a %s", line, f.name)
		}
		if !f.set(value) {
			return nil, read.refuse("names a %s of %q", f.name, value)
		}
	}
	return read, nil
}

// Next returns the next step, or the error [io.EOF] after the last one. Other errors wrap
// [ErrFormat] or [ErrCut], or are those of the reader given to NewReader.
func (r *Reader) Next() (Step, error) {
	if r.ended {
		return Step{}, io.EOF
	}
	line, err := r.next()
	if err != nil {
		return Step{}, err
	}
	if line == fmt.Sprintf("end %d", r.steps) {
		r.ended = true
		if _, err := r.byte(); !errors.Is(err, io.EOF) {
			return Step{}, r.refuse("is followed by more, after its end")
		}
		return Step{}, io.EOF
	}
	words := strings.Split(line, " ")
	if len(words) != 3 {
		return Step{}, r.refuse("is %q, neither a step nor the end", line)
	}
	input, err := strconv.ParseUint(words[1], 16, 8)
	digest, digestErr := strconv.ParseUint(words[2], 16, 64)
	r.steps++
	s := Step{scene.Input(input), digest}
	same := fmt.Sprintf(lineOfStep, r.steps, input, digest) == line+"\n"
	if err != nil || digestErr != nil || !same {
		return Step{}, r.refuse("is %q, not step %d", line, r.steps)
	}
	return s, nil
}

// next returns the next line, without its end. Only the last one may do without.
func (r *Reader) next() (string, error) {
	r.line++
	var line []byte
	for {
		b, err := r.byte()
		switch {
		case errors.Is(err, io.EOF) && string(line) == fmt.Sprintf("end %d", r.steps):
			return string(line), nil
		case errors.Is(err, io.EOF):
			return "", fmt.Errorf("recording: line %d: %w, after step %d", r.line, ErrCut, r.steps)
		case err != nil:
			return "", err
		case b == '\n', b == '\r':
			r.returned = b == '\r'
			return string(line), nil
		case len(line) == maxLine-1:
			return "", r.refuse("has more than %d bytes", maxLine)
		}
		line = append(line, b)
	}
}

// byte returns the next byte, but for a line feed behind the carriage return of a line's end.
func (r *Reader) byte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil && b == '\n' && r.returned {
		b, err = r.in.ReadByte()
	}
	r.returned = false
	return b, err
}

// refuse words the error of the last line.
func (r *Reader) refuse(format string, values ...any) error {
	what := fmt.Sprintf(format, values...)
	return fmt.Errorf("recording: %w: line %d %s", ErrFormat, r.line, what)
}
