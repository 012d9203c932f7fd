package family_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/save"
)

// TestReferencesThatNoCallWrites: no file and no delta brings one into a world, and Verify tells of
// it.
func TestReferencesThatNoCallWrites(t *testing.T) {
	c := world.Counts{Kinds: layout.Kinds(family.ChildOf)}
	for name, wrong := range map[string]struct {
		refers []world.GameObject // of objects 0 and 1
		want   string
	}{
		"of a creation": {
			[]world.GameObject{0, gameobject.MakeRecorded(0, 0)},
			"childOf: game object 1 refers to 0r0, which stands for a creation that is not recorded",
		},
		"of a member": {
			[]world.GameObject{family.Member(1), 0},
			"childOf: game object 0 refers to 1r2147483647, which stands for a creation that",
		},
		"dead": {
			[]world.GameObject{0, gameobject.MakeID(0, 7)},
			"childOf: game object 1 refers to 0v7, which is dead",
		},
		"out of range": {
			[]world.GameObject{0, gameobject.MakeID(1<<31, 1)},
			"childOf: game object 1 refers to 2147483648, which is dead",
		},
		"a ring": {
			[]world.GameObject{gameobject.MakeID(1, 1), gameobject.MakeID(0, 1)},
			"childOf 0 → 1 → 0: a tree has no rings",
		},
		"itself": {
			[]world.GameObject{0, gameobject.MakeID(1, 1)},
			"childOf 1 → 1: a tree has no rings",
		},
	} {
		t.Run(name, func(t *testing.T) {
			sound := world.Must(world.CreateState(c))
			defer func() { world.Close(sound) }()
			for range 2 {
				sound, _ = world.Must2(world.CreateWith(sound, family.ChildOf))
			}
			require.NoError(t, tool.Verify(sound))
			broken := world.Must(world.Clone(sound))
			defer func() { world.Close(broken) }()
			copy(world.View(broken, family.ChildOf), wrong.refers)
			broken = tool.Touch(broken, family.ChildOf.Kind(), 0, 2)
			require.ErrorContains(t, tool.Verify(broken), wrong.want)

			var file bytes.Buffer
			require.NoError(t, save.Write(&file, broken, save.Options{}))
			_, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), c, save.Options{})
			require.ErrorContains(t, err, wrong.want)

			var coder delta.Coder
			change := world.Must(coder.Append(nil, sound, broken))
			sound, err = coder.Apply(sound, change)
			require.ErrorIs(t, err, delta.ErrDamaged)
			assert.Equal(t, []world.GameObject{0, 0}, world.View(sound, family.ChildOf)[:2])
			require.NoError(t, tool.Verify(sound))
		})
	}
}
