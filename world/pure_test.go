package world_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// namesOf returns the values of a busy world, which are not in its bytes.
func namesOf(s world.State, ids []world.GameObject) (names []string) {
	for _, id := range ids {
		if name, err := world.ValueOf(s, id, busyNames); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// The same bytes and arguments give the same bytes: f(Clone(s)) equals f(s), and a clone is a copy.
func TestSystemsAreFunctions(t *testing.T) {
	s, ids := busyWorld()
	for _, o := range operations(ids) {
		t.Run(o.name, func(t *testing.T) {
			bytesBefore, namesBefore := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
			copied := world.Must(world.Clone(s))
			require.NotEqual(t, address(world.Bytes(s)), address(world.Bytes(copied)))
			require.True(t, bytes.Equal(bytesBefore, world.Bytes(copied)), "a copy")
			require.Equal(t, namesBefore, namesOf(copied, ids), "a copy")

			copied = o.run(copied)
			assert.True(t, bytes.Equal(bytesBefore, world.Bytes(s)), "the original stays byte for byte")
			assert.Equal(t, namesBefore, namesOf(s, ids), "the original stays")
			s = o.run(s)
			assert.True(t, bytes.Equal(world.Bytes(copied), world.Bytes(s)), "f(Clone(s)) is f(s)")
			assert.Equal(t, namesOf(copied, ids), namesOf(s, ids))
			world.Close(copied)
		})
	}
}

// What is done to a world and to its copy, however long, stays the same.
func TestACopyLivesTheSameLife(t *testing.T) {
	s, ids := busyWorld()
	copied := world.Must(world.Clone(s))
	for range 3 {
		for _, o := range operations(ids) {
			s, copied = o.run(s), o.run(copied)
			require.True(t, bytes.Equal(world.Bytes(copied), world.Bytes(s)), o.name)
			require.NoError(t, tool.Verify(s), o.name)
		}
	}
}

func TestWritingOperationsWrite(t *testing.T) {
	s, ids := busyWorld()
	written := map[string]bool{}
	for _, o := range operations(ids) {
		before, names := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
		s = o.run(s)
		written[o.name] = !bytes.Equal(before, world.Bytes(s)) ||
			!assert.ObjectsAreEqual(names, namesOf(s, ids))
	}
	for _, name := range []string{
		"Move", "MoveAll", "Fly", "FlyAll", "Update", "Frame", "Loop", "a system of one's own", "Advance",
		"walk", "walk, and break", "walks one inside the other", "SetValue", "UpdateValues",
		"Set", "Edit", "OpenWrite", "SetRow", "Touch", "set the first hero's", "create and dispose an object",
	} {
		assert.True(t, written[name], "%s writes, so the tests above see whether it is a function", name)
	}
	for _, name := range []string{"RenderOneByOne", "RenderInstances", "Init", "Count", "Has", "numbers", "Get", "Reader"} {
		assert.False(t, written[name], "%s leaves the world as it was", name)
	}
}
