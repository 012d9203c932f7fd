package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// An office starts the processes of contenders.
type office struct {
	dir string // of the program in C; empty until it is needed
}

// hire starts the process of a contender.
func (o *office) hire(ctx context.Context, name string) (turns.Seat, error) {
	program, err := os.Executable()
	arguments := []string{"work", name}
	if c, _ := contenderNamed(name); c.Peer == suite.C {
		program, err = o.compile(ctx)
		arguments = []string{strings.TrimPrefix(strings.TrimPrefix(name, "C "), "-")}
	}
	if err != nil {
		return nil, err
	}
	return turns.Start(ctx, name, program, arguments...)
}

//go:embed testdata/kernels.c
var kernelsC string

// missingTool is an error when there is no such program here.
func missingTool(name string) error {
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("%s is not there, and what needs it is left out; install it", name)
	}
	return nil
}

// compile returns the program in C. It is compiled once.
func (o *office) compile(ctx context.Context) (program string, err error) {
	if o.dir != "" {
		return filepath.Join(o.dir, "kernels"), nil
	}
	if o.dir, err = os.MkdirTemp("", "compare"); err != nil {
		return "", err
	}
	program = filepath.Join(o.dir, "kernels")
	command := exec.CommandContext(ctx, "gcc", "-O3", "-march=native", "-ffp-contract=off",
		"-x", "c", "-o", program, "-")
	command.Stdin = strings.NewReader(kernelsC)
	if text, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w: %s", err, text)
	}
	return program, nil
}

func (o *office) close() {
	if o.dir != "" {
		_ = os.RemoveAll(o.dir)
	}
}
