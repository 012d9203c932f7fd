package record

import (
	"bytes"
	"fmt"
	"io"
)

// Show prints a recording, to read: its head, notes, and the frames with their inputs in
// hexadecimal and how often an input comes again. It plays nothing. The error is that of w, or as
// that of Input.
func (f *File) Show(w io.Writer) error {
	h := f.Head()
	first, next := f.Frames()
	_, err := fmt.Fprintf(w, "build %s\nprogram %s\nframes %d to %d, %d a second, %d bytes each\n",
		h.Build, h.Program, first, next-1, h.StepRate, h.InputBytes)
	for _, k := range h.Kinds {
		if err == nil {
			_, err = fmt.Fprintln(w, "kind", k)
		}
	}
	var last []byte
	for frame, since := first, first; frame <= next && err == nil; frame++ {
		var input []byte
		if frame < next {
			if input, err = f.Input(frame); err != nil {
				return err
			}
		}
		if frame > first && (frame == next || !bytes.Equal(input, last)) {
			_, err = fmt.Fprintf(w, "%d\t%x x %d\n", since, last, frame-since)
			since = frame
		}
		last = append(last[:0], input...)
	}
	for _, n := range f.notes {
		if err == nil {
			_, err = fmt.Fprintf(w, "%s at frame %d, tick %d: %s\n%s", n.What, n.Frame, n.Tick,
				n.Text, n.Stack)
		}
	}
	if torn := f.Torn(); torn != nil && err == nil {
		_, err = fmt.Fprintln(w, torn)
	}
	return err
}
