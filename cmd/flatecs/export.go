package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// export is the command that writes the page as files.
type export struct {
	pageFlags
	Out string `help:"Folder: new, empty, or an earlier export." placeholder:"DIR" required:""`
}

// Run builds the page and writes it.
func (c *export) Run(ctx context.Context, s streams) error {
	if _, err := server.CheckFolder(c.Out); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil { // before a build of a minute
		return err
	}
	orderly(ctx)
	program, err := buildPage(ctx, s.err, server.App)
	if err != nil {
		return err
	}
	_, packed := waiting(s.err, "packing")
	files, err := server.Export(program, c.start(), c.Out)
	packed()
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, err = fmt.Fprintln(out, "bytes\tgzip\tbrotli\t ")
	for _, f := range files {
		_, lineErr := fmt.Fprintf(out, "%d\t%d\t%d\t %s/%s\n",
			f.Plain, f.Gzip, f.Brotli, c.Out, f.Name)
		err = errors.Join(err, lineErr)
	}
	return errors.Join(err, out.Flush())
}
