package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
