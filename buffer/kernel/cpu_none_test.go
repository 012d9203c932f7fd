//go:build !amd64 || purego || race

package kernel

import "testing"

func onEach(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	f(t)
}
