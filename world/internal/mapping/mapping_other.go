//go:build !linux

package mapping

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

var errNone = fmt.Errorf("memory that programs share, on %s: %w", runtime.GOOS,
	errors.ErrUnsupported)

// Memory returns an error.
func Memory(string, int) (*os.File, error) { return nil, errNone }

// Grow returns an error.
func Grow(*os.File, int, int) error { return errNone }

// Map returns an error.
func Map(*os.File, int, Mode) ([]byte, error) { return nil, errNone }

// Unmap returns an error.
func Unmap([]byte) error { return errNone }

// Lock returns an error.
func Lock(*os.File, int64, Use) (bool, error) { return false, errNone }

// Held returns an error.
func Held(*os.File, int64) (bool, error) { return false, errNone }

// Scratch returns an error.
func Scratch(string) (*os.File, error) { return nil, errNone }

// Now returns 0.
func Now() int64 { return 0 }
