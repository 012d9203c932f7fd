// Package failure words errors of the packages below world: the package and what the error is about
// come first, the fix comes last, and no system call is named.
package failure

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Wrap returns an error that wraps err and says more. fix comes last, unless the text has its own.
func Wrap(pkg string, err error, fix, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", pkg, err, fixed(fmt.Sprintf(format, args...), fix))
}

// fixed returns a text that ends in a fix: its own, or the one that is given.
func fixed(text, fix string) string {
	if strings.Contains(text, "; ") || strings.Contains(text, ". ") {
		return text
	}
	return text + "; " + fix
}

type about struct {
	text string
	err  error
}

func (a *about) Error() string { return a.text }

func (a *about) Unwrap() error { return a.err }

// About returns an error that wraps err and names a path or an address in place of the package that
// err names. Of what the operating system returned, the text has the cause alone. It returns nil if
// err is nil.
func About(pkg, what string, err error, fix string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if _, said, ok := strings.Cut(text, ": "); ok {
		text = said
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		text = cause.Error()
	}
	text, fix = roomFor(err, text, fix)
	return &about{pkg + ": " + Legible(what) + ": " + fixed(text, fix), err}
}

// Legible returns a line of text as it is, and what is none in quotes.
func Legible(s string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if s != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	return strconv.Quote(s)
}

// ErrNotFile is the error of a path that leads to anything but a regular file.
var ErrNotFile = errors.New("this is not a regular file")

// Regular returns nil if info describes a regular file. No other can be mapped, or replaced by a
// rename. Commands that write a stream also accept devices and pipes, as those of Go do.
func Regular(pkg string, info fs.FileInfo) error {
	kind, mode := "a special file", info.Mode()
	switch {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return Wrap(pkg, ErrNotFile, "name the file that it leads to", "it is a symbolic link")
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return Wrap(pkg, ErrNotFile, "name a file", "it is %s", kind)
}

// Open opens a regular file for reading, also by a symbolic link. It opens nothing that blocks.
func Open(pkg, path, fix string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err == nil {
		err = Regular(pkg, info)
	}
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, 0, About(pkg, path, err, fix)
	}
	if now, err := f.Stat(); err == nil { // of a file that was put there meanwhile
		info = now
	}
	return f, info.Size(), nil
}
