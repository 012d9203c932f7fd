// Command release writes the version of a tag into all modules, or packs them.
//
//	GOWORK=off go -C cmd/tools run ./release v0.1.0            # writes go.mod and go.work files
//	GOWORK=off go -C cmd/tools run ./release -pack DIR v0.1.0  # packs, for GOPROXY=file://DIR
//
// The modules require each other at the version that is written, and none has a replace line, which
// go install refuses. In a checkout the go.work files replace that version by what lies there.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

func main() {
	dir := flag.String("pack", "", "pack all modules into this `folder`, and write nothing else")
	flag.Parse()
	if flag.NArg() > 1 {
		const late = "release: %q after the version; give flags before it: -pack DIR v0.1.0\n"
		fmt.Fprintf(os.Stderr, late, flag.Args()[1:])
		os.Exit(2)
	}
	if err := run("../..", *dir, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root, dir, version string) error {
	if version != semver.Canonical(version) || version == "" {
		return fmt.Errorf("%q is no version of a module; one is v0.1.0", version)
	}
	if dir != "" {
		return pack(root, dir, version)
	}
	if err := write(root, version); err != nil {
		return err
	}
	var tags []string
	for _, m := range published {
		tags = append(tags, strings.TrimPrefix(m+"/"+version, "./"))
	}
	fmt.Printf("Commit that, then: for tag in %s; do git tag $tag; done\n", strings.Join(tags, " "))
	return nil
}

// write writes the version into the files that name one.
func write(root, version string) error {
	for _, m := range append([]string{"bench"}, published...) {
		for _, name := range []string{"go.mod", "go.work"} {
			file := filepath.Join(root, m, name)
			text, err := os.ReadFile(file)
			if os.IsNotExist(err) {
				continue
			}
			if err == nil {
				err = os.WriteFile(file, versioned(text, version), 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
