package world_test

import (
	"reflect"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

// kindList returns kinds as what lists of kinds take.
func kindList(kinds []layout.Kind) []layout.AnyKind {
	list := make([]layout.AnyKind, len(kinds))
	for i, k := range kinds {
		list[i] = k
	}
	return list
}

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

// addKinds is world.Add of a list of kinds, which may be empty.
func addKinds(s world.State, id world.GameObject, kinds ...layout.Kind) (world.State, error) {
	if len(kinds) == 0 {
		return s, nil
	}
	return world.Add(s, id, kinds[0], anyKinds(kinds[1:])...)
}

// anyKinds returns a list of kinds as calls take it.
func anyKinds(kinds []layout.Kind) (list []layout.AnyKind) {
	for _, k := range kinds {
		list = append(list, k)
	}
	return list
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
