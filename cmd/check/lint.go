package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const linterModule = "github.com/golangci/golangci-lint/v2"

// golangci returns where the pinned linter is. It is built once for each version and kept beside
// Go's cache, so that emptying that one, or a change of the tree, builds no linter.
func (c *check) golangci() (string, error) {
	version, err := c.ask(toolsModule, "", "go list -m -f={{.Version}} "+linterModule)
	cache, err2 := os.UserCacheDir()
	if err := errors.Join(err, err2); err != nil {
		return "", err
	}
	file := filepath.Join(cache, "flatecs", fmt.Sprintf("golangci-lint-%s-%s-%s",
		strings.TrimSpace(version), runtime.Version(), runtime.GOARCH))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	part := fmt.Sprintf("%s.%d", file, os.Getpid()) // two checks may build it at once
	err = c.command(line{
		toolsModule, "CGO_ENABLED=0",
		"go build -o " + part + " " + linterModule + "/cmd/golangci-lint",
	})
	if err != nil {
		return "", err
	}
	return file, os.Rename(part, file)
}

// checkLint looks at all modules with the files that need other programs, and with those of
// ecsdebug where there are such.
func checkLint(c *check) error {
	linter, err := c.golangci()
	modules, err2 := c.modules()
	err = errors.Join(err, err2)
	for _, dir := range modules {
		line := line{dir, "", linter + " run --build-tags=tools ./..."}
		err = errors.Join(err, c.command(line))
	}
	return errors.Join(err, c.command(line{".", "", linter + " run --build-tags=ecsdebug " +
		"./buffer/... ./manager ./systems/... ./world ./world/memory ./world/share"}))
}

func lintChanged(c *check) error {
	linter, err := c.golangci()
	return errors.Join(err, c.eachModule(func(dir string, changed, _ []string) error {
		if len(changed) == 0 {
			return nil // the linter would take all packages of the module
		}
		return c.command(line{dir, "", linter + " run --build-tags=tools " +
			strings.Join(changed, " ")})
	}))
}

func fixFormat(c *check) error {
	linter, err := c.golangci()
	return errors.Join(err, c.command(line{".", "", linter + " fmt"}))
}

// checkTidy looks at a copy of each module's go.mod that finds the tree's other modules: go mod
// tidy reads no go.work.
func checkTidy(c *check) error {
	modules, err := c.modules()
	replace := map[string]string{} // line of each module
	for _, dir := range modules {
		name, err2 := c.ask(dir, "GOWORK=off", "go list -m")
		err = errors.Join(err, err2)
		replace[dir] = fmt.Sprintf("\nreplace %s => %q\n", strings.TrimSpace(name),
			filepath.Join(c.root, dir))
	}
	for _, dir := range modules {
		others := maps.Clone(replace)
		delete(others, dir)
		mod, err2 := os.ReadFile(filepath.Join(c.root, dir, "go.mod"))
		sum, _ := os.ReadFile(filepath.Join(c.root, dir, "go.sum")) // if there is one
		mod = append(mod, strings.Join(slices.Sorted(maps.Values(others)), "")...)
		err = errors.Join(err, err2, os.WriteFile(filepath.Join(c.temp, "tidy.mod"), mod, 0o600),
			os.WriteFile(filepath.Join(c.temp, "tidy.sum"), sum, 0o600),
			c.command(line{dir, "GOWORK=off", "go mod tidy -diff -modfile=$TEMP/tidy.mod"}))
	}
	return err
}
