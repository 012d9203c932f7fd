package manager_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// alone returns a manager that stands alone, for as many objects as rows.
func alone(t *testing.T, kind layout.Kind, rows int) *manager.Manager {
	t.Helper()
	m := must(manager.New(kind, rows, max(rows, 1)))
	return m
}

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

// mountedRows returns the rows that All yields.
func mountedRows(m *manager.Manager) []layout.Row { return slices.Collect(m.All()) }

// panicsWith checks that f panics with a sentence that has every part.
func panicsWith(t *testing.T, f func(), parts ...string) {
	t.Helper()
	defer func() {
		text, ok := recover().(string)
		require.True(t, ok, "panics with a sentence")
		for _, part := range parts {
			require.Contains(t, text, part)
		}
	}()
	f()
}
