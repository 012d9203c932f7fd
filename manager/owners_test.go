package manager

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOwnersAreAskedInOneFile: but for inlined copies on hot paths, and checks, the package does not
// know how owners are stored, nor what a row is apart from its object.
func TestOwnersAreAskedInOneFile(t *testing.T) {
	stored := regexp.MustCompile(`owners\.(objectBase|mountedBase|homeBase|objects|links|mounted|homes|bases)\b|b\.Base\b`)
	hot := regexp.MustCompile(`^(\(.*\) )?(AddEach|dropEach|InLockstep|ForeseeRows)\(`)
	files, _ := filepath.Glob("*.go")
	require.NotEmpty(t, files)
	for _, file := range files {
		if regexp.MustCompile(`(owners|byblock)\.go$|_(test|debug)\.go$`).MatchString(file) {
			continue
		}
		b, _ := os.ReadFile(file)
		for f := range strings.SplitSeq(string(b), "\nfunc ") {
			assert.True(t, hot.MatchString(f) || !stored.MatchString(f), "%s: %.60s", file, f)
		}
	}
}

// TestOwnersAgainstModel: rows that are used for nothing are on the free list.
func TestOwnersAgainstModel(t *testing.T) {
	const rows = 256
	type state struct {
		use    RowUse
		object uint32
	}
	m, r := sure(New(modelKind, rows, rows)), rand.New(rand.NewPCG(5, 6))
	o, list, model := &m.owners, []uint32{}, [rows]state{}
	m.count.High = rows
	for row := range uint32(rows) {
		o.list(row)
		list = append(list, row)
	}
	for range 20_000 {
		row := r.Uint32N(rows)
		was, now := model[row].use, state{RowUse(1 + r.IntN(3)), r.Uint32N(3) * r.Uint32N(rows/2)}
		if was != RowUnused {
			o.unmount(row)
			now = state{}
			o.list(row)
			list = append(list, row)
		} else {
			o.unlink(row)
			list = slices.DeleteFunc(list, func(x uint32) bool { return x == row })
		}
		switch now.use {
		case RowMounted:
			o.mount(row, now.object)
		case RowSuspended:
			o.suspend(row, now.object)
		case RowLoose:
			o.loosen(row, 1)
			now.object = 0
		}
		model[row] = now
		got := state{}
		got.use, got.object = o.use(row)
		require.Equal(t, now, got)
		require.Equal(t, now.use == RowUnused, o.isFree(row))
		require.NoError(t, o.checkList(uint32(len(list))))
		require.Equal(t, list[len(list)-1]+1, m.count.Free)
	}
	o.links[list[1]]++
	require.Error(t, o.checkList(uint32(len(list))))
	o.reset(rows)
	assert.Zero(t, slices.Max(o.objects)+slices.Max(o.links))
}
