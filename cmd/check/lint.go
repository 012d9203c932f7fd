package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// golangci returns where the pinned linter is. It is built once for each version and kept beside
// Go's cache, so that emptying that one, or a change of the tree, builds no linter.
func (c *check) golangci() (string, error) {
	version, err := c.ask(toolsModule, "env", "GOWORK=off", "go", "list", "-m",
		"-f={{.Version}}", "github.com/golangci/golangci-lint/v2")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	file := filepath.Join(cache, "flatecs", fmt.Sprintf("golangci-lint-%s-%s-%s",
		strings.TrimSpace(version), runtime.Version(), runtime.GOARCH))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	part := fmt.Sprintf("%s.%d", file, os.Getpid()) // two checks may build it at once
	err = c.command(toolsModule, []string{"GOWORK=off", "CGO_ENABLED=0"}, "go", "build", "-o", part,
		"github.com/golangci/golangci-lint/v2/cmd/golangci-lint")
	if err != nil {
		return "", err
	}
	return file, os.Rename(part, file)
}

// tagged are the packages with files for ecsdebug.
var tagged = []string{
	"./buffer/...", "./manager", "./systems/...", "./world", "./world/memory", "./world/share",
}

func checkLint(c *check) error {
	linter, err := c.golangci()
	if err != nil {
		return err
	}
	modules, err := c.modules()
	errs := []error{err}
	for _, dir := range modules {
		errs = append(errs, c.command(dir, workspace(dir),
			linter, "run", "--build-tags=tools", "./..."))
	}
	return errors.Join(append(errs, c.command(".", nil,
		append([]string{linter, "run", "--build-tags=ecsdebug"}, tagged...)...))...)
}

func lintChanged(c *check) error {
	linter, err := c.golangci()
	if err != nil {
		return err
	}
	return c.eachModule(func(dir string, changed, _ []string) error {
		if len(changed) == 0 {
			return nil // the linter would take all packages of the module
		}
		return c.command(dir, workspace(dir),
			append([]string{linter, "run", "--build-tags=tools"}, changed...)...)
	})
}

func fixFormat(c *check) error {
	linter, err := c.golangci()
	if err != nil {
		return err
	}
	return c.command(".", nil, linter, "fmt")
}

// workspace returns the environment in which a module's packages are found: a go.work, its own or
// the tree's, says where the other modules of the tree are. Only the tools need none of them.
func workspace(module string) []string {
	if module == toolsModule {
		return []string{"GOWORK=off"}
	}
	return nil
}

// checkTidy looks at a copy of each module's go.mod that finds the tree's other modules: go mod
// tidy reads no go.work.
func checkTidy(c *check) error {
	modules, err := c.modules()
	if err != nil {
		return err
	}
	replace := map[string]string{} // line of each module
	for _, dir := range modules {
		name, err := c.ask(dir, "env", "GOWORK=off", "go", "list", "-m")
		if err != nil {
			return err
		}
		replace[dir] = fmt.Sprintf("\nreplace %s => %q\n", strings.TrimSpace(name),
			filepath.Join(c.root, dir))
	}
	var errs []error
	for _, dir := range modules {
		others := maps.Clone(replace)
		delete(others, dir)
		errs = append(errs, c.tidy(dir, strings.Join(slices.Sorted(maps.Values(others)), "")))
	}
	return errors.Join(errs...)
}

func (c *check) tidy(module, replace string) error {
	dir, err := os.MkdirTemp("", "flatecs-tidy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for from, to := range map[string]string{"go.mod": "tidy.mod", "go.sum": "tidy.sum"} {
		text, err := os.ReadFile(filepath.Join(c.root, module, from))
		if err != nil && from == "go.mod" {
			return err
		}
		if from == "go.mod" {
			text = append(text, replace...)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o600); err != nil {
			return err
		}
	}
	return c.command(module, []string{"GOWORK=off"}, "go", "mod", "tidy", "-diff",
		"-modfile="+path.Join(dir, "tidy.mod"))
}
