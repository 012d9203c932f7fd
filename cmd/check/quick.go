package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// quick are the steps of a change that is being made.
var quick = append(slices.Clone(fast), []step{
	{"vet", "go vet of the library, and of what was changed", vetQuick},
	{"lint", "golangci-lint has no objection to the packages that were changed", lintChanged},
	{"test", "the tests of the library, and of the packages that were changed", testQuick},
}...)

// changed returns the directories of packages with sources that differ from the last commit that
// the tree shares with where it was cloned from, by module, in order.
func (c *check) changed() (map[string][]string, error) {
	base := "HEAD"
	if shared, err := c.git("merge-base", "HEAD", "@{upstream}"); err == nil {
		base = strings.TrimSpace(shared)
	}
	differ, err := c.git("diff", "--name-only", base)
	if err != nil {
		return nil, fmt.Errorf("which packages were changed? %w", err)
	}
	unknown, err := c.git("ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return c.packages(strings.Fields(differ + unknown)), nil
}

func (c *check) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.root
	text, err := cmd.Output()
	return string(text), err
}

// packages returns the directories of Go sources among files, relative to their module.
func (c *check) packages(files []string) map[string][]string {
	dirs := map[string][]string{}
	for _, s := range c.sources { // those that were deleted are not among them
		if !slices.Contains(files, s.path) {
			continue
		}
		within, err := filepath.Rel(s.module, s.dir())
		if err != nil {
			continue // both are relative
		}
		dir := "./" + filepath.ToSlash(within)
		if !slices.Contains(dirs[s.module], dir) {
			dirs[s.module] = append(dirs[s.module], dir)
		}
	}
	return dirs
}

// eachChanged runs f for every module with packages that were changed.
func (c *check) eachChanged(f func(module string, packages []string) error) error {
	dirs, err := c.changed()
	if err != nil {
		return err
	}
	for _, m := range c.modules {
		if len(dirs[m.dir]) > 0 {
			err = errors.Join(err, f(m.dir, dirs[m.dir]))
		}
	}
	return err
}

func vetQuick(c *check) error {
	return errors.Join(c.command(".", nil, "go", "vet", "./..."), c.others("vet"))
}

func testQuick(c *check) error {
	return errors.Join(c.command(".", nil, "go", "test", "./..."), c.others("test"))
}

// others runs a go command for the changed packages of the other modules.
func (c *check) others(verb string) error {
	return c.eachChanged(func(module string, packages []string) error {
		if module == "." {
			return nil
		}
		return c.command(module, workspace(module), append([]string{"go", verb}, packages...)...)
	})
}

func lintChanged(c *check) error {
	linter, err := c.tool("golangci-lint")
	if err != nil {
		return err
	}
	return c.eachChanged(func(module string, packages []string) error {
		args := append([]string{linter, "run", "--build-tags=tools"}, packages...)
		return c.command(module, workspace(module), args...)
	})
}
