package hunt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
)

// A Corpus stores the finds of hunts on several machines, and of earlier runs. [Dir] implements it.
type Corpus interface {
	Add(f Find) error      // stores a find for all parts
	Next() ([]Find, error) // finds since the last call, also of this part; at first all
}

// A Find is a result of a hunt: inputs that lead from the first world to a new state, or that break
// a property.
type Find struct {
	Build    string `json:"build"` // of the game; the same inputs lead to the same state
	Inputs   []byte `json:"inputs,omitempty"`
	Digest   uint64 `json:"digest,omitempty"`   // of the state
	Property string `json:"property,omitempty"` // the broken property, or empty
	Ticks    int64  `json:"ticks,omitempty"`    // hunted since the part's previous Find
}

// ErrCorpus is the error of a corpus that is damaged, belongs to another game, or is in use by
// another process of the same part.
var ErrCorpus = errors.New("this corpus cannot be used")

// A Dir is a [Corpus] in a folder that the machines share. Each part appends its finds to a file of
// its own.
type Dir struct {
	path string
	own  *ledger.File
	read map[string]int64 // bytes read of each file
	room int              // bytes of finds that may still be read
}

const (
	ending   = ".finds"
	mostLine = 1 << 26 // longest line in bytes
	mostAll  = 1 << 29 // bytes of all finds of a Dir, with findSize for each
	findSize = 100
	cure     = "give a folder that can be read and written, and make room"
)

// OpenDir opens or creates the corpus in a folder, for a part.
func OpenDir(path string, part int) (*Dir, error) {
	name := filepath.Join(path, fmt.Sprint(part, ending))
	err := os.MkdirAll(path, 0o750)
	if err != nil {
		return nil, failure.About("hunt", path, err, cure)
	}
	own, err := ledger.Open(name, func(about fs.FileInfo) error {
		return failure.Regular("hunt", about)
	})
	if err != nil {
		return nil, aboutPart(name, err)
	}
	end, err := own.Seek(0, io.SeekEnd)
	tail := max(0, end-mostLine)
	content, bad := io.ReadAll(io.NewSectionReader(own, tail, mostLine))
	if err = errors.Join(err, bad); err == nil { // end a torn last line
		err = own.Cut(tail + int64(bytes.LastIndexByte(content, '\n')+1))
	}
	if err != nil {
		return nil, errors.Join(failure.About("hunt", name, err, cure), own.Close())
	}
	return &Dir{path: path, own: own, read: map[string]int64{}, room: mostAll}, nil
}

// aboutPart returns the error of a part's file.
func aboutPart(name string, err error) error {
	if errors.Is(err, ledger.ErrShared) {
		return fmt.Errorf("hunt: %s: %w: another process is part %s; give each another number",
			name, ErrCorpus, strings.TrimSuffix(filepath.Base(name), ending))
	}
	return failure.About("hunt", name, err, cure)
}

// Add appends a find to the part's file.
func (d *Dir) Add(f Find) error {
	text, err := json.Marshal(f)
	if err == nil {
		_, err = d.own.Write(ledger.Append(nil, text))
	}
	return aboutPart(d.own.Name(), err)
}

// Next reads the lines appended to the files. It reads an incomplete last line later. It returns
// [ErrCorpus], wrapped, if another line is damaged or longer than 64 MB, or if all finds together
// take more than 512 MB: their text, and 100 bytes each.
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
	for more := true; more && err == nil; {
		var content []byte
		from := io.NewSectionReader(file, d.read[name], mostLine)
		if content, err = io.ReadAll(from); err != nil {
			return nil, err
		}
		good, bad := ledger.Lines(content, func(line, text []byte) error {
			if d.room -= len(line) + findSize; d.room < 0 {
				return fmt.Errorf("hunt: %w: all finds of the folder take more than %d MB; remove "+
					"the oldest files", ErrCorpus, mostAll>>20)
			}
			finds = append(finds, Find{})
			return json.Unmarshal(text, &finds[len(finds)-1])
		})
		d.read[name] += int64(good)
		rest := content[good:]
		more = len(content) == mostLine
		switch err = bad; {
		case errors.Is(bad, ErrCorpus):
		case bad != nil || bytes.ContainsRune(rest, '\n') || len(rest) == mostLine:
			err = fmt.Errorf("hunt: %w: its line at byte %d is damaged; remove the line", ErrCorpus,
				d.read[name])
		}
	}
	return finds, err
}

// Close closes the part's file.
func (d *Dir) Close() error { return failure.About("hunt", d.own.Name(), d.own.Close(), cure) }
