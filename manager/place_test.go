package manager

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	placedField = layout.NewField[uint16]("placed")
	placedOther = layout.NewField[[3]float32]("other")
	placedKind  = layout.NewKind("placed", placedField, placedOther)
)

// TestPlacesFindRowsInLockstep: a place tells the row that RowOf finds, wherever the object is in
// lockstep, and nothing where it does not have the component.
func TestPlacesFindRowsInLockstep(t *testing.T) {
	const objects, rows = 200, 200
	a := sure(NewArena(Sizes{Objects: objects, Kinds: layout.Kinds(placedKind.Count(rows))}))
	defer a.Free()
	m, random := a.Find(placedKind.Spec()), rand.New(rand.NewPCG(24, 11))
	place := a.Places[placedOther.Spec().Number]
	require.Same(t, &m.Places[1], place)
	require.Same(t, placedOther.Spec(), place.Field)
	for range objects {
		_, err := a.Objects.Create(0)
		require.NoError(t, err)
	}
	found, odd := 0, 0
	for range 3_000 {
		object := uint32(random.IntN(objects))
		if m.Has(object) {
			m.Drop(object)
		} else {
			_, _ = m.Add(object) // there is room
		}
		object = uint32(random.IntN(objects))
		row, has := m.RowOf(object)
		switch got, ok := place.InLockstep(uint(object)); {
		case ok:
			require.True(t, has)
			require.Equal(t, uint(row), got)
			found++
		case has:
			require.NotZero(t, m.blocks[object>>6].Odd>>(object&63)&1)
			odd++
		}
	}
	assert.Positive(t, found)
	assert.Positive(t, odd)
}

// TestPlacesOfDamagedBlocks: a base that leads behind the last row leads nowhere.
func TestPlacesOfDamagedBlocks(t *testing.T) {
	const rows = 64
	a := sure(NewArena(Sizes{Objects: 64, Kinds: layout.Kinds(placedKind.Count(rows))}))
	defer a.Free()
	m := a.Find(placedKind.Spec())
	_, err := m.Add(sure(a.Objects.Create(0)).Index())
	require.NoError(t, err)
	row, ok := m.Places[0].InLockstep(0)
	require.True(t, ok && row == 0)
	m.blocks[0].Base += uint32(m.Cap())
	_, ok = m.Places[0].InLockstep(0)
	require.False(t, ok)
}

// TestForeignFieldsHaveNoNumber: fields of no kind have the number 0, which leads to no place, also
// where kinds were read from a file.
func TestForeignFieldsHaveNoNumber(t *testing.T) {
	loose := layout.NewField[uint16]("loose")
	field, err := layout.FieldSpec{Name: "left", Parts: placedField.Spec().Parts, Default: []byte{1, 0}}.Foreign()
	require.NoError(t, err)
	foreign := layout.KindSpec{Name: "foreign"}.Foreign(0, field)
	a := sure(NewArena(Sizes{Objects: 64, Kinds: layout.Kinds(placedKind.Count(64), foreign.Count(64))}))
	defer a.Free()
	assert.Zero(t, loose.Spec().Number)
	assert.Zero(t, field.Spec().Number)
	assert.Nil(t, a.Places[0])
	require.Same(t, field.Spec(), a.Find(foreign.Spec()).Places[0].Field)
}
