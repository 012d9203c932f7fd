package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// A fuzzing is how long the fuzz targets run.
type fuzzing struct {
	each time.Duration // of one, unless all is more than 0
	all  time.Duration // of all together
}

// checkFuzz runs every fuzz target, and tells how many executions each reached. Where the time of
// all was said, inputs that led to new code are kept among the tests.
func checkFuzz(c *check) error {
	all := targets(c.tree, "Fuzz")
	each := c.fuzz.each
	if c.fuzz.all > 0 {
		each = c.fuzz.all / time.Duration(max(len(all), 1))
	}
	var errs []error
	sum := 0
	for _, f := range all {
		from, begin := c.out.Len(), time.Now()
		err := c.fuzzOne(f, each)
		if err != nil && cutShort(c.out.Bytes()[from:]) {
			err = c.fuzzOne(f, each)
		}
		n := executions(c.out.Bytes()[from:])
		sum += n
		note := fmt.Sprintf("%-18s %9d executions", f.name, n)
		if c.fuzz.all > 0 {
			kept, keepErr := c.keepCorpus(f, begin)
			note += fmt.Sprintf(", %d new inputs kept", kept)
			err = errors.Join(err, keepErr)
		}
		c.notes = append(c.notes, note)
		errs = append(errs, err)
	}
	c.notes = append(c.notes, fmt.Sprintf("%-18s %9d executions", "all", sum))
	return errors.Join(errs...)
}

// fuzzOne runs one fuzz target for a while.
func (c *check) fuzzOne(f target, each time.Duration) error {
	return c.command(f.module, workspace(f.module), "go", "test", "-run=^$",
		"-fuzz=^"+f.name+"$", "-fuzztime="+each.String(), "-fuzzminimizetime=20x", f.pkg)
}

// cutShort reports whether fuzzing failed by nothing but its end: the go command calls it a failure
// when the time is up while it waits for a worker.
func cutShort(out []byte) bool {
	return bytes.Contains(out, []byte("    context deadline exceeded\n")) &&
		!bytes.Contains(out, []byte("Failing input written to"))
}

var reached = regexp.MustCompile(`(?m)^fuzz: elapsed: .*execs: (\d+) `)

// executions returns the last number of executions that a fuzz target has printed.
func executions(out []byte) (n int) {
	if all := reached.FindAllSubmatch(out, -1); len(all) > 0 {
		n, _ = strconv.Atoi(string(all[len(all)-1][1]))
	}
	return n
}

const (
	mostInputs = 32      // that are kept of a target
	mostBytes  = 2 << 10 // of such an input
)

// keepCorpus copies inputs that have led to new code since a moment from the go command's cache to
// where every test runs them, the shortest first, up to as many as a test has time for.
func (c *check) keepCorpus(f target, since time.Time) (kept int, err error) {
	cache, err := c.corpusInCache(f)
	if err != nil {
		return 0, err
	}
	home := c.abs(filepath.Join(f.module, f.pkg, "testdata", "fuzz", f.name))
	before, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, name := range shortest(cache, before, since, mostInputs-len(before)) {
		b, err := os.ReadFile(filepath.Join(cache, name))
		if err == nil {
			err = os.MkdirAll(home, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(home, name), b, 0o644)
		}
		if err != nil {
			return kept, err
		}
		kept++
	}
	return kept, nil
}

// corpusInCache returns the folder where the go command keeps a target's inputs.
func (c *check) corpusInCache(f target) (string, error) {
	from := c.out.Len()
	err := c.command(f.module, workspace(f.module), "go", "list", "-f",
		"{{.ImportPath}}", f.pkg)
	if err != nil {
		return "", err
	}
	path := lastLine(c.out.Bytes()[from:])
	from = c.out.Len()
	if err := c.command(".", nil, "go", "env", "GOCACHE"); err != nil {
		return "", err
	}
	return filepath.Join(lastLine(c.out.Bytes()[from:]), "fuzz", path, f.name), nil
}

func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}

// shortest returns the names of at most n inputs in a folder that are not among those before, and
// not older than since: a target may have taken other arguments then.
func shortest(
	folder string, before []os.DirEntry, since time.Time, n int,
) (names []string) {
	entries, _ := os.ReadDir(folder) // there is none where nothing new was found
	sizes := map[string]int64{}
	for _, e := range entries {
		info, err := e.Info()
		there := func(b os.DirEntry) bool { return b.Name() == e.Name() }
		if err == nil && info.Size() <= mostBytes && !slices.ContainsFunc(before, there) &&
			!info.ModTime().Before(since) {
			names, sizes[e.Name()] = append(names, e.Name()), info.Size()
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(a, b))
	})
	return names[:max(0, min(n, len(names)))]
}
