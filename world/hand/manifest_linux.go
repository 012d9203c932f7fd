package hand

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

// A manifest describes the files of an offer.
type manifest struct {
	Saved bool // a save file, for any fingerprint
	Size  int64
	Tick  uint64
	Names []string // of the files that follow the manifest
	File  string   `json:",omitempty"` // where the program saves the world when it ends
	Made  int64    // time of the copy, in nanoseconds of mapping.Now
	Lost  int64    // play time lost after the copy, at most, in nanoseconds
	Cargo cargo
}

func readManifest(f *os.File) (list manifest, err error) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, math.MaxInt64))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return list, fmt.Errorf("hand: manifest: %w", err)
	}
	return list, nil
}

// file returns the manifest as a file. The caller closes it.
func (m *manifest) file() (*os.File, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	f, err := mapping.Scratch("flatecs manifest")
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return f, err
}

// path returns where the world is saved at the end; "": nowhere, or the program saves it itself.
func (o *Options) path() string {
	if o.Signals || o.File == "" {
		return ""
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return ""
	}
	return path
}

// A parcel is the files of an offer by name: the world, the manifest, and the files that it names.
type parcel struct {
	world *os.File
	list  manifest
	files map[string]*os.File
}

// openParcel returns a parcel of files.
func openParcel(files []*os.File) (p parcel, err error) {
	if len(files) < 2 {
		return p, fmt.Errorf("hand: %d files, where a world and its manifest were to come: %w",
			len(files), ErrRefused)
	}
	p.world = files[0]
	if p.list, err = readManifest(files[1]); err != nil {
		return p, err
	}
	if len(p.list.Names) != len(files)-2 {
		return p, fmt.Errorf("hand: %d files came, and %d were offered: %w", len(files)-2,
			len(p.list.Names), ErrRefused)
	}
	p.files = make(map[string]*os.File, len(files))
	for i, name := range p.list.Names {
		p.files[name] = files[2+i]
	}
	return p, nil
}
