package manager

import (
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

// TestPlacesOfDamagedBlocks: each field has its place, and a base that leads behind the last row
// leads nowhere.
func TestPlacesOfDamagedBlocks(t *testing.T) {
	const rows = 64
	a := sure(NewArena(Sizes{Objects: 64, Kinds: layout.Kinds(placedKind.Count(rows))}))
	defer a.Free()
	m := a.Find(placedKind.Spec())
	for i, f := range []layout.AnyField{placedField, placedOther} {
		require.Same(t, &m.Places[i], a.Places[f.Spec().Number])
		require.Same(t, f.Spec(), m.Places[i].Field)
	}
	_, err := m.Add(sure(a.Objects.Create(0)).Index())
	require.NoError(t, err)
	row, ok := m.Places[0].InLockstep(0)
	require.True(t, ok && row == 0)
	m.Blocks.list[0].Base += uint32(m.Rows.Cap())
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
