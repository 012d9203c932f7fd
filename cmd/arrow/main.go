// Command arrow writes the kinds of a saved world as files of Apache Arrow, one per kind:
//
//	go -C cmd/arrow run . export /tmp/world.flat --out /tmp/world
//	go -C cmd/arrow run . export /tmp/world.flat --kind body --out /tmp/body.arrow
//
// Package columns says what is in them. Marks and Go values have no columns and are left out; the
// elements of lists are in the columns of the lists.
package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/flatecs/flatecs/cmd/arrow/columns"
	"github.com/flatecs/flatecs/world/save"
)

type grammar struct {
	Export export `cmd:"" help:"Write the kinds of a saved world as Arrow IPC files."`
}

type export struct {
	File string `arg:"" help:"The saved world."`
	Out  string `required:"" placeholder:"DIR" help:"Folder, or a file.arrow with --kind."`
	Kind string `help:"Only this kind."`
}

func main() {
	var g grammar
	c := kong.Parse(&g, kong.Name("arrow"), kong.Description("Worlds as Apache Arrow."),
		kong.Exit(func(code int) { os.Exit(min(code, 2)) })) // 2 for wrong usage
	c.BindTo(os.Stdout, (*io.Writer)(nil))
	c.FatalIfErrorf(c.Run())
}

// Run exports the kinds, and prints a line for each.
func (e *export) Run(out io.Writer) (err error) {
	f, err := save.Open(e.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Verify(); err != nil {
		return err
	}
	names, err := e.names(f)
	if err != nil {
		return err
	}
	single := e.Kind != "" && strings.HasSuffix(e.Out, ".arrow")
	if !single {
		if err := os.MkdirAll(e.Out, 0o777); err != nil {
			return err
		}
	}
	for _, kind := range names {
		path := e.Out
		if !single {
			path = filepath.Join(e.Out, url.PathEscape(kind)+".arrow")
		}
		if err := write(out, f, kind, path); err != nil {
			return err
		}
	}
	return nil
}

// names returns the kinds to write.
func (e *export) names(f *save.File) (names []string, err error) {
	if e.Kind != "" {
		return []string{e.Kind}, nil
	}
	if strings.HasSuffix(e.Out, ".arrow") {
		return nil, errors.New("arrow: a file has one kind; give --kind, or a folder as --out")
	}
	for _, k := range f.Kinds() {
		if !k.Mark && !k.Values && !f.OfList(k.Name) {
			names = append(names, k.Name)
		}
	}
	return names, nil
}

// write writes a kind to a file atomically.
func write(out io.Writer, f *save.File, kind, path string) error {
	r, err := columns.Of(f, kind)
	if err != nil {
		return err
	}
	if is, err := os.Lstat(path); err == nil && !is.Mode().IsRegular() {
		return fmt.Errorf("arrow: %s is not a regular file; give --out another name", path)
	}
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	err = errors.Join(encode(file, r), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	_, err = fmt.Fprintf(out, "%s: %d rows, %d columns\n", path, r.NumRows(), r.NumCols())
	return err
}

func encode(w io.Writer, r arrow.RecordBatch) error {
	a, err := ipc.NewFileWriter(w, ipc.WithSchema(r.Schema()))
	if err != nil {
		return err
	}
	return errors.Join(a.Write(r), a.Close())
}
