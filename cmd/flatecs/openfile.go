package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Errors of pipes that have a name: to wait for the program at their other end may be for ever.
var (
	errNoWriter = errors.New("no program writes to this pipe; start it first, or name a file")
	errNoReader = errors.New("no program reads from this pipe; start it first, or name a file")
)

// An input is a file that is read. What it waits for, it waits for until a context ends: then
// reading returns an error that wraps [os.ErrDeadlineExceeded].
type input struct {
	*os.File
	pipe bool  // with a name, of which nothing was read
	read int64 // bytes
	size int64 // bytes; 0: nobody knows
}

// openInput opens a file without waiting for who writes to it.
func openInput(ctx context.Context, path string) (*input, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	status, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = file.SetReadDeadline(time.Unix(1, 0)) })
	return &input{File: file, pipe: status.Mode()&fs.ModeNamedPipe != 0, size: status.Size()}, nil
}

// Read implements [io.Reader].
func (f *input) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if n == 0 && err != nil && f.pipe && !errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, errNoWriter
	}
	f.pipe = false
	f.read += int64(n)
	return n, err
}

// createFile creates a file, or empties it, without waiting for who reads from it.
func createFile(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC | nonBlocking
	file, err := os.OpenFile(path, flags, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s: %w", path, errNoReader)
	}
	return file, err
}
