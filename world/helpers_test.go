package world_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// must returns what a call that has to succeed returned.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// made is must for calls that return the state too.
func made[T any](s world.State, v T, err error) (world.State, T) {
	if err != nil {
		panic(err)
	}
	return s, v
}

// create creates n game objects.
func create(s world.State, n int) (world.State, []world.GameObject) {
	ids := make([]world.GameObject, n)
	for i := range ids {
		s, ids[i] = made(world.CreateGameObject(s))
	}
	return s, ids
}

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

// repeat returns n times v.
func repeat[T any](v T, n int) []T { return slices.Repeat([]T{v}, n) }

// indexes returns the indexes of ids.
func indexes(ids []world.GameObject) []uint32 {
	all := make([]uint32, len(ids))
	for i, id := range ids {
		all[i] = id.Index()
	}
	return all
}

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

// A recorder is a renderer that keeps what it was given.
type recorder struct {
	log   []string
	ones  []uint32 // objects drawn one by one
	calls [][]byte // positions of each DrawInstances, not copied
}

func (r *recorder) Init() { r.log = append(r.log, "init") }

func (r *recorder) DrawOne(object uint32, position []byte) {
	r.ones = append(r.ones, object)
	r.log = append(r.log, fmt.Sprint("one ", object, " ", len(position)/12))
}

func (r *recorder) DrawInstances(kind string, positions []byte) {
	r.calls = append(r.calls, positions)
	r.log = append(r.log, fmt.Sprint(kind, " ", len(positions)/12))
}
