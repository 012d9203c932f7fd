package mapping

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Memory returns n zeroed bytes as a file without a name, which can be neither shrunk nor grown.
func Memory(name string, n int) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memory without a name: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	err = f.Truncate(int64(n))
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS,
			unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("memory of %d bytes: %w", n, err), f.Close())
	}
	return f, nil
}

// Grow makes a file n bytes long, some of which are going to be written at once. It refuses where
// its disk has no room for these: a program that writes to a mapped file ends by a signal there.
// The others take room as they are written.
func Grow(f *os.File, n, written int) error {
	var disk unix.Statfs_t // of no blocks: without a bound
	if err := unix.Fstatfs(int(f.Fd()), &disk); err == nil && disk.Blocks > 0 &&
		disk.Bavail < uint64(written)/uint64(disk.Bsize)+1 {
		return unix.ENOSPC
	}
	return f.Truncate(int64(n))
}

// Map maps the first n bytes of a file, which has as many.
func Map(f *os.File, n int, mode Mode) ([]byte, error) {
	prot, flags := unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED
	switch mode {
	case Read:
		prot = unix.PROT_READ
	case Private:
		flags = unix.MAP_PRIVATE
	case Shared:
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() < int64(n) || n <= 0:
		return nil, fmt.Errorf("%s has %d bytes, and %d are to be mapped: %w", f.Name(),
			info.Size(), n, io.ErrUnexpectedEOF)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, n, prot, flags)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes of %s: %w", n, f.Name(), err)
	}
	return b, nil
}

// Unmap ends a mapping. Reading b afterwards crashes the program.
func Unmap(b []byte) error { return unix.Munmap(b) }

// Lock locks one byte of a file, or lets go of it, without waiting. The lock ends with the last
// program that has this opening of the file. It returns false if another one holds it.
func Lock(f *os.File, at int64, use Use) (bool, error) {
	l := unix.Flock_t{Type: unix.F_UNLCK, Start: at, Len: 1}
	switch use {
	case Reading:
		l.Type = unix.F_RDLCK
	case Writing:
		l.Type = unix.F_WRLCK
	case Free:
	}
	err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &l)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false, nil
	}
	return err == nil, err
}

// Held reports whether another opening of the file holds a lock on a byte for writing.
func Held(f *os.File, at int64) (bool, error) {
	l := unix.Flock_t{Type: unix.F_RDLCK, Start: at, Len: 1}
	err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &l)
	return l.Type == unix.F_WRLCK, err
}

// Scratch returns memory as a file without a name, which grows as it is written.
func Scratch(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory without a name: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// Now returns the time since the machine was started, in nanoseconds: the same in every program.
func Now() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return t.Nano()
}

// Terminal reports whether a file is a terminal.
func Terminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
