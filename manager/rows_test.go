package manager

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestOwnersAreAskedInOneFile: but for inlined copies on hot paths, and checks, the package does not
// know how owners are stored, nor what a row is apart from its object.
func TestOwnersAreAskedInOneFile(t *testing.T) {
	stored := regexp.MustCompile(`\b(Rows|rows)\.(objectBase|mountedBase|homeBase|objects|links|mounted|homes)\b|\.bases\b|b\.Base\b`)
	hot := regexp.MustCompile(`^(\(.*\) )?(AddEach|dropEach|InLockstep|ForeseeRows)\(`)
	files, _ := filepath.Glob("*.go")
	require.NotEmpty(t, files)
	for _, file := range files {
		if regexp.MustCompile(`(rows|blocks|byblock)\.go$|_(test|debug)\.go$`).MatchString(file) {
			continue
		}
		b, _ := os.ReadFile(file)
		for f := range strings.SplitSeq(string(b), "\nfunc ") {
			assert.True(t, hot.MatchString(f) || !stored.MatchString(f), "%s: %.60s", file, f)
		}
	}
}

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

// TestPagesOfAllSizes: a block goes on to the next size of page when its page is full, keeps it
// until no object is odd, and leaves it to others then.
func TestPagesOfAllSizes(t *testing.T) {
	m := sure(New(modelKind, 200, 256))
	for range 200 {
		_ = sure(m.Create())
	}
	rowOf := func(object uint32) layout.Row { return layout.Row(199 - object) }
	r := rand.New(rand.NewPCG(4, 16))
	for range 3 {
		for n, i := range r.Perm(64) {
			require.NoError(t, m.Mount(uint32(i), rowOf(uint32(i))))
			b, size := m.Blocks.list[0], uint32(ofPlaces)
			if odd := bits.OnesCount64(b.Odd); n < 5 && odd > 0 {
				size = ofFour
			} else if n < 17 && odd > 0 {
				size = of16
			}
			require.Equal(t, size, b.Page&sizeMask, "%d objects", n+1)
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 0}, {1, 1}, {1, 1}}, m.Blocks.pages.spare)
		for _, i := range r.Perm(64) {
			row, ok := m.RowOf(uint32(i))
			require.True(t, ok)
			require.Equal(t, rowOf(uint32(i)), row)
			m.Drop(uint32(i))
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 1}, {1, 1}, {1, 1}}, m.Blocks.pages.spare)
		for m.Live() < 200 {
			_ = sure(m.Create())
		}
	}
}
