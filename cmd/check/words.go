package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// word returns the value of a name in capitals, for a command with environment variables.
func (c *check) word(name, env string) (string, error) {
	switch name {
	case "TEMP":
		return c.temp, nil
	case "PROCESSES": // one more than there are processors, because some packages wait
		return strconv.Itoa(runtime.NumCPU() + 1), nil
	case "GOROOT":
		return c.ask("go env GOROOT")
	case "LINTER":
		return c.linter()
	case "WORK": // the modules of go.work, relative, for the linter
		list, err := c.ask("go list -m -f={{.Dir}}/...")
		return strings.ReplaceAll(list, c.root, "."), err
	case "OWN":
		return c.ownFiles(env)
	case "RACING": // the packages with goroutines
		list, err := c.ask("$goroutines")
		var dirs []string
		for file := range strings.FieldsSeq(list) {
			dirs = append(dirs, "./"+path.Dir(file))
		}
		return strings.Join(slices.Compact(dirs), " "), err
	case "NATIVE", "EMULATED": // how to run 32-bit programs if the kernel cannot
		if _, err := c.ask(env + "go test -run=^$ ./layout/mask"); err == nil {
			return "", nil
		}
		return words["exec"+name], nil
	}
	return "", fmt.Errorf("check: steps.txt does not define $%s", name)
}

// linter returns the path of the pinned linter. It is built once per version and stored beside Go's
// cache, so that neither clearing that cache nor changing the tree rebuilds it.
func (c *check) linter() (string, error) {
	version, err := c.ask("$tools go list -m -f={{.Version}} $linter")
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
	err = c.command("$tools go build -o " + part + " $linter/cmd/golangci-lint")
	return file, errors.Join(err, os.Rename(part, file))
}

// ownFiles returns the packages whose files on a host differ from those on this one. Nightly checks
// the packages that only lack a feature of the host.
func (c *check) ownFiles(host string) (string, error) {
	here, err := c.ask("$files")
	there, err2 := c.ask(host + "$files")
	var own []string
	for listed := range strings.Lines(there) {
		if name, _, _ := strings.Cut(listed, "\t"); !strings.Contains(here, listed) {
			own = append(own, name)
		}
	}
	return strings.Join(own, " "), errors.Join(err, err2)
}

// eachTarget runs a command for every fuzz target of the tree.
func (c *check) eachTarget(fuzz string) error {
	list, err := c.ask("$targets")
	for target := range strings.Lines(list) { // each line is "file:func Name"
		file, name, _ := strings.Cut(strings.TrimSpace(target), ":func ")
		err = errors.Join(err, c.command("cd "+path.Dir(file)+" && "+fuzz+" -fuzz=^"+name+"$ ."))
	}
	return err
}
