package world_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	misuseWalk  = world.NewQuery(world.Write(misusePair))
	misusePeek  = world.NewQuery(world.Read(misusePair))
	misuseOther = world.NewQuery(world.Write(heroes.Position))
)

func TestStructureStaysWhileAWalkIsOpen(t *testing.T) {
	m := newMisused()
	before := bytes.Clone(world.Bytes(m.s))
	var attempts []attempt
	for _, k := range misuseKinds {
		mount, add, remove, _ := ofKind(k, m.loose)
		attempts = append(attempts, mount, add, remove)
	}
	attempts = append(attempts, attempt{"dispose game object", dispose},
		attempt{"create game object", func(s world.State, _ world.GameObject) (world.State, error) {
			s, _, err := world.CreateGameObject(s)
			return s, err
		}},
		attempt{"create", func(s world.State, _ world.GameObject) (world.State, error) {
			s, _, err := world.CreateComponent(s, heroes.Position)
			return s, err
		}})
	for _, a := range attempts {
		for _, id := range []world.GameObject{m.full, m.bare} {
			t.Run(a.name, func(t *testing.T) {
				batches := 0
				for range misusePeek.In(m.s) {
					batches++
					_, err := a.run(m.s, id)
					require.ErrorIs(t, err, world.ErrWalking)
					assert.Contains(t, err.Error(), "end it first")
				}
				assert.Equal(t, 1, batches)
				assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
			})
		}
	}
	for range misusePeek.In(m.s) {
		worldtest.PanicsWith(t, func() { _ = world.DisposeComponent(m.s, misuseBody, m.loose) }, "a walk is open; end it first")
	}
	assert.True(t, bytes.Equal(before, world.Bytes(m.s)))
}

func TestWrittenFieldsAreReachedThroughBatchesOnly(t *testing.T) {
	m := newMisused()
	reader := world.Open(m.s, misusePair)
	const cure = "reach it through the walk's batches, or end the walk first"
	for range misuseWalk.In(m.s) {
		_, err := world.Set(m.s, m.full, misusePair, [2]float32{})
		require.ErrorIs(t, err, world.ErrWalking)
		_, err = world.Get(m.s, m.full, misusePair)
		require.ErrorIs(t, err, world.ErrWalking)
		worldtest.PanicsWith(t, func() { world.GetRow(m.s, misusePair, 0) }, cure)
		worldtest.PanicsWith(t, func() { _ = world.SetRow(m.s, misusePair, 0, [2]float32{}) }, cure)
		worldtest.PanicsWith(t, func() { _ = world.OpenWrite(m.s, misusePair) }, cure)
		worldtest.PanicsWith(t, func() { reader.At(m.full) }, cure)
		worldtest.PanicsWith(t, func() {
			for range misusePeek.In(m.s) {
				t.Error("reads what an open walk writes")
			}
		}, "is written by one of two walks that are open at once")
		assert.Equal(t, 1, misuseOther.Count(m.s), "other fields are free")
		_ = world.GetRow(m.s, heroes.Position, 0)
	}
	for range misuseOther.In(m.s) {
		worldtest.PanicsWith(t, func() { world.GetRow(m.s, heroes.Position, 0) }, cure)
		worldtest.PanicsWith(t, func() { _ = world.SetRow(m.s, heroes.Position, 0, [3]float32{}) }, cure)
		worldtest.PanicsWith(t, func() { _ = heroes.Move(m.s, 0, 0) }, cure)
		worldtest.PanicsWith(t, func() { _ = heroes.Update(m.s) }, "open at once")
		worldtest.PanicsWith(t, func() { _ = heroes.MoveAll(m.s) }, "open at once")
	}
	_, ok := reader.At(m.full)
	assert.True(t, ok, "free again after the walk")
}

// However a walk ends, it is over.
func TestAWalkEnds(t *testing.T) {
	m := newMisused()
	for range misuseWalk.In(m.s) {
		break
	}
	m.s, _ = world.Must2(world.CreateComponent(m.s, heroes.Position))
	func() {
		for range misuseWalk.In(m.s) {
			return
		}
	}()
	m.s, _ = world.Must2(world.CreateComponent(m.s, heroes.Position))
	worldtest.PanicsWith(t, func() {
		for range misuseWalk.In(m.s) {
			panic("out of the walk")
		}
	}, "out of the walk")
	m.s, _ = world.Must2(world.CreateComponent(m.s, heroes.Position))
	assert.Equal(t, [2]float32{1, 2}, world.Must(world.Get(m.s, m.full, misusePair)))
}
