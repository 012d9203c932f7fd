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
	"github.com/flatecs/flatecs/world/internal/mapping"
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

// ErrCorpus is the error of a corpus that is damaged, of another game, or written by another part
// of the same number.
var ErrCorpus = errors.New("this corpus cannot be used")

// A Dir is a [Corpus] in a folder, which the machines share: each part appends to its own file.
type Dir struct {
	path string
	own  *os.File
	read map[string]int64 // bytes of each file
}

const (
	ending   = ".finds"
	mostRead = 1 << 28 // bytes of a file at a time
)

// OpenDir opens or creates a folder for a part. The error wraps [ErrCorpus] if another process is
// this part.
func OpenDir(path string, part int) (*Dir, error) {
	const cure = "give a folder that can be written"
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, failure.About("hunt", path, err, cure)
	}
	name := filepath.Join(path, fmt.Sprint(part, ending))
	own, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, failure.About("hunt", name, err, cure)
	}
	if alone, bad := mapping.Lock(own, 0, mapping.Writing); !alone && bad == nil {
		err = fmt.Errorf("hunt: %s: %w: another process is part %d; give each another number", name,
			ErrCorpus, part)
	}
	content, bad := io.ReadAll(own)
	if err == nil && bad == nil { // without the line in which the part was killed
		bad = own.Truncate(int64(bytes.LastIndexByte(content, '\n') + 1))
	}
	if err = errors.Join(err, failure.About("hunt", name, bad, cure)); err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return &Dir{path: path, own: own, read: map[string]int64{}}, nil
}

// Add appends a find to the part's file.
func (d *Dir) Add(f Find) error {
	text, err := json.Marshal(f)
	if err == nil {
		_, err = d.own.Write(ledger.Append(nil, text))
	}
	return failure.About("hunt", d.own.Name(), err, "make room for the corpus")
}

// Next reads what was appended to the files, up to 256 MB of each. A last line that is not whole is
// read when it is; the error wraps [ErrCorpus] if another one is damaged.
func (d *Dir) Next() (finds []Find, err error) {
	files, err := os.ReadDir(d.path)
	for i := 0; i < len(files) && err == nil; i++ {
		if name := files[i].Name(); strings.HasSuffix(name, ending) {
			finds, err = d.next(finds, name)
		}
	}
	return finds, failure.About("hunt", d.path, err, "give a folder that can be read")
}

func (d *Dir) next(finds []Find, name string) ([]Find, error) {
	file, _, err := failure.Open("hunt", filepath.Join(d.path, name), "")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.NewSectionReader(file, d.read[name], mostRead))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(content) {
		var f Find
		text, ok := ledger.Check(line)
		switch {
		case !ok && line[len(line)-1] != '\n' && len(line) < mostRead:
			return finds, nil // it is being written
		case !ok || json.Unmarshal(text, &f) != nil:
			return nil, fmt.Errorf("hunt: %s/%s: %w: byte %d begins a damaged line; remove the line",
				d.path, name, ErrCorpus, d.read[name])
		}
		d.read[name] += int64(len(line))
		finds = append(finds, f)
	}
	return finds, nil
}

// Close closes the part's file.
func (d *Dir) Close() error {
	return failure.About("hunt", d.own.Name(), d.own.Close(), "make room for the corpus")
}
