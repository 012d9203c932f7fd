package manager

import (
	"slices"
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

// TestBlocksAreJoinedWhereRowsFollow: of complete blocks that got their rows in another order, none
// is joined to the one before.
func TestBlocksAreJoinedWhereRowsFollow(t *testing.T) {
	for _, order := range [][]uint32{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}} {
		a := sure(NewArena(Sizes{Objects: 192, Kinds: []layout.Count{
			layout.NewKind("ordered", layout.NewField("n", uint32(1))).Count(192),
		}}))
		m := &a.Managers[0]
		for range 192 {
			_ = sure(a.Objects.Create(0))
		}
		for _, block := range order {
			for i := range uint32(64) {
				_ = sure(m.Add(block<<6 + i))
			}
		}
		joined := uint64(1)
		for k := 1; k < len(order); k++ {
			if i := slices.Index(order, uint32(k)); i > 0 && order[i-1] == uint32(k-1) {
				joined |= 1 << k
			}
		}
		require.Equal(t, joined, m.Blocks.Groups[0].Whole, "%v", order)
		require.NoError(t, a.Verify())
	}
}
