package hunt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
)

// A Corpus has what the hunts of many machines, and of earlier nights, found. A [Dir] is one.
type Corpus interface {
	Add(f Find) error      // for all parts
	Next() ([]Find, error) // what was added since the last call, by this part, too; at first all
}

// A Find is something that a hunt found: inputs that lead from the first world to a state like none
// before, or that break a property.
type Find struct {
	Build    string `json:"build"` // of the game; the same inputs lead to the same state
	Inputs   []byte `json:"inputs,omitempty"`
	Digest   uint64 `json:"digest,omitempty"`   // of the state
	Property string `json:"property,omitempty"` // that is broken, or empty
	Ticks    int64  `json:"ticks,omitempty"`    // hunted since the part's Find before
}

// ErrCorpus is the error of a corpus that is damaged, of another game, or in use by another process
// of the same part.
var ErrCorpus = errors.New("this corpus cannot be used")

// A Dir is a [Corpus] in a folder, which the machines share. Each part appends its finds to a file.
type Dir struct {
	path string
	own  *os.File
	read map[string]int64 // bytes of each file
}

const (
	ending   = ".finds"
	mostRead = 1 << 28 // bytes of a file at a time
	cure     = "give a folder that can be read and written, and make room"
)

// OpenDir opens or creates the corpus in a folder, for a part.
func OpenDir(path string, part int) (*Dir, error) {
	name := filepath.Join(path, fmt.Sprint(part, ending))
	err := os.MkdirAll(path, 0o750)
	if err != nil {
		return nil, failure.About("hunt", path, err, cure)
	}
	own, busy, err := ledger.Open(name)
	if busy {
		return nil, errors.Join(err, fmt.Errorf("hunt: %s: %w: another process is part %d; give "+
			"each another number", name, ErrCorpus, part))
	} else if err != nil {
		return nil, failure.About("hunt", name, err, cure)
	}
	content, err := io.ReadAll(own)
	if err == nil { // a line in which the part was killed ends
		whole := int64(bytes.LastIndexByte(content, '\n') + 1)
		_, bad := own.Seek(whole, io.SeekStart)
		err = errors.Join(own.Truncate(whole), bad)
	}
	if err != nil {
		return nil, errors.Join(failure.About("hunt", name, err, cure), own.Close())
	}
	return &Dir{path: path, own: own, read: map[string]int64{}}, nil
}

// Add appends a find to the part's file.
func (d *Dir) Add(f Find) error {
	text, err := json.Marshal(f)
	if err == nil {
		_, err = d.own.Write(ledger.Append(nil, text))
	}
	return failure.About("hunt", d.own.Name(), err, cure)
}

// Next reads what was appended to the files, up to 256 MB of each. It reads a last line when that
// is whole. The error wraps [ErrCorpus] if another line is damaged.
func (d *Dir) Next() (finds []Find, err error) {
	files, err := os.ReadDir(d.path)
	for i := 0; i < len(files) && err == nil; i++ {
		if name := filepath.Join(d.path, files[i].Name()); strings.HasSuffix(name, ending) {
			finds, err = d.next(finds, name)
			err = failure.About("hunt", name, err, cure)
		}
	}
	return finds, err
}

func (d *Dir) next(finds []Find, name string) ([]Find, error) {
	file, _, err := failure.Open("hunt", name, cure)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.NewSectionReader(file, d.read[name], mostRead))
	if err != nil {
		return nil, err
	}
	good, err := ledger.Lines(content, func(_, text []byte) error {
		finds = append(finds, Find{})
		return json.Unmarshal(text, &finds[len(finds)-1])
	})
	d.read[name] += int64(good)
	rest := content[good:]
	if err != nil || bytes.ContainsRune(rest, '\n') || len(rest) == mostRead {
		return nil, fmt.Errorf("hunt: %w: its line at byte %d is damaged; remove the line",
			ErrCorpus, d.read[name])
	}
	return finds, nil
}

// Close closes the part's file.
func (d *Dir) Close() error { return failure.About("hunt", d.own.Name(), d.own.Close(), cure) }
