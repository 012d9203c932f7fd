// Command examples lists the example programs, each of about a hundred lines, with the command that
// runs it.
//
//	go run ./cmd/examples
package main

import (
	"embed"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// programs are the sources, whose comments say what they show.
//
//go:embed */main.go
var programs embed.FS

// window is the program that opens a window. It is a module of its own, so that nothing else
// downloads Ebitengine.
const window = "go -C cmd/ebiten run ./bird        # opens a window: a bird flies between pipes, " +
	"and backwards in time"

func main() {
	if err := list(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// list writes a line for each program, the one with a window first.
func list(out io.Writer) error {
	lines := []string{window}
	folders, err := programs.ReadDir(".")
	if err != nil {
		return err
	}
	for _, f := range folders {
		source, err := programs.ReadFile(path.Join(f.Name(), "main.go"))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%-34s # %s", "go run ./cmd/examples/"+f.Name(),
			about(f.Name(), string(source))))
	}
	_, err = fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// about returns the first sentence of a program's comment without its subject; of a long one what
// stands before a colon.
func about(name, source string) string {
	comment, _, _ := strings.Cut(source, "\n//\n")
	words := strings.Join(strings.Fields(strings.ReplaceAll(comment, "//", "")), " ")
	words, _, _ = strings.Cut(words, ". ")
	words = strings.TrimSuffix(strings.TrimPrefix(words, "Command "+name+" "), ".")
	if short, _, _ := strings.Cut(words, ": "); len(words) > 80 {
		words = short
	}
	return strings.TrimPrefix(words, "is ")
}
