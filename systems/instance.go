package systems

import "github.com/flatecs/flatecs/manager"

// InstanceKind marks the objects that are drawn all at once. It has no data, but a uid: its row.
var InstanceKind = manager.InstanceKind

// Instance is the row of an instance mark.
type Instance = manager.Instance

// CreateInstance returns an instance mark that is on no object yet. Its errors are those of
// [Create].
func CreateInstance(s State) (State, Instance, error) {
	s, row, err := Create(s, InstanceKind)
	return s, Instance(row), err
}

// MountInstance puts a created instance mark on an object. Its errors are those of [Mount].
func MountInstance(s State, id GameObject, row Instance) (State, error) {
	return Mount(s, id, InstanceKind, Row(row))
}

// AddInstance creates an instance mark and mounts it. Its errors are those of [Add].
func AddInstance(s State, id GameObject) (State, Instance, error) {
	s, row, err := Add(s, id, InstanceKind)
	return s, Instance(row), err
}

// InstanceOf returns the row of an object's instance mark. Its errors are those of [RowOf].
func InstanceOf(s State, id GameObject) (Instance, error) {
	row, err := RowOf(s, id, InstanceKind)
	return Instance(row), err
}

// HasInstance reports whether an object is alive and has an instance mark.
func HasInstance(s State, id GameObject) bool { return Has(s, id, InstanceKind) }

// RemoveInstance disposes an object's instance mark. Its errors are those of [Remove].
func RemoveInstance(s State, id GameObject) (State, error) { return Remove(s, id, InstanceKind) }

// DisposeInstance disposes an instance mark by row. It panics when row is not in use.
func DisposeInstance(s State, row Instance) State { return Dispose(s, InstanceKind, Row(row)) }
