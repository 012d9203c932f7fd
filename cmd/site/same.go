package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/source"
)

// sameProgram is the package of the program in the page "The same bytes".
const sameProgram = source.Module + "/cmd/same"

// sameFile is the program's file in the site.
const sameFile = "programs/same.wasm"

// left are the lines of cmd/same's output that name the machine, and its digest after all ticks.
var left = regexp.MustCompile(`^10000 objects, 100000 ticks, on (\S+)\n(?s:.*)` +
	`\ndigest ([0-9a-f]{16}) after 100000 ticks`)

// readLeft reads the output of cmd/same on other machines, from the .txt files of a folder, and
// returns the name and the digest of each machine, sorted. The error names a file with other
// contents.
func readLeft(dir string) (all [][2]string, err error) {
	folder := os.DirFS(dir)
	names, _ := fs.Glob(folder, "*.txt")
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no .txt files; give --digests a folder of files that "+
			"go run ./cmd/same >linux-arm64.txt wrote", dir)
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		found := left.FindSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("%s/%s is not what go run ./cmd/same prints; write it again",
				dir, name)
		}
		all = append(all, [2]string{string(found[1]), string(found[2])})
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return all, nil
}

// golden matches the digest after all ticks in the source of cmd/same.
var golden = regexp.MustCompile(`most: "([0-9a-f]{16})"`)

// Golden returns the digest in the tree, or "" if cmd/same has none.
func (b *book) Golden() string {
	text, _ := fs.ReadFile(b.tree, "cmd/same/main.go")
	if found := golden.FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// Same returns the program's arguments for comparing its digest with other machines' digests.
func (b *book) Same() string {
	var args []string
	for _, machine := range b.Left {
		args = append(args, machine[0]+"="+machine[1])
	}
	return strings.Join(args, " ")
}
