package lab

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/flatecs/flatecs/world/internal/ledger"
)

// Checksummed is for forged journals.
var Checksummed = ledger.Append

// ErrDisk is the error of a disk that is full.
var ErrDisk = errors.New("no space left")

// RunOnFullDisk is Run, with a disk that is full in the middle of a line of the journal, after so
// many lines.
func RunOnFullDisk[P any](ctx context.Context, w Sweep[P], dst Sink, lines int) error {
	p, err := w.plan()
	if err != nil {
		return err
	}
	p.disk = func(file io.Writer) io.Writer { return &disk{file, lines} }
	return p.run(ctx, dst)
}

type disk struct {
	file io.Writer
	left int
}

func (d *disk) Write(line []byte) (int, error) {
	if d.left--; d.left < 0 {
		n, err := d.file.Write(line[:len(line)/2])
		return n, errors.Join(err, ErrDisk)
	}
	return d.file.Write(line)
}

// JournalCell returns the JSON of a digest in a journal, and FromJournal what that is read as.
func JournalCell(bits uint64) string {
	return string(appendCell(nil, math.Float64frombits(bits), true))
}

func FromJournal(text string) (bits uint64, cell Value, err error) {
	x, err := parseCell(text, true)
	return math.Float64bits(x), cellOf(x, true), err
}
