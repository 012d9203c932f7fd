package worldtest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// SmallDisk returns a folder on a disk of its own, with room for size bytes. It skips the test
// where no disk can be mounted, which takes a right.
func SmallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no disk can be mounted: %v", err)
	}
	disk, err := os.Open(dir)
	if err = errors.Join(err, syscall.Unmount(dir, syscall.MNT_DETACH)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	return fmt.Sprintf("/proc/self/fd/%d", disk.Fd()) // so that nothing is left if this is killed
}

// Fill writes a file until its disk is full.
func Fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 4096)
	_, _ = rand.Read(b)
	for err == nil {
		_, err = f.Write(b)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}
