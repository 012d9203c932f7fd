package pack_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

var (
	benchPlace = layout.NewField[[3]float32]("place")
	benchKind  = layout.NewKind("bench place", benchPlace)
	benchPace  = layout.NewComponent[[2]float32]("bench pace")
	benchHeat  = layout.NewComponent[float32]("bench heat")
	benchMark  = layout.NewMark("bench mark")
)

// benchWorld has n objects of three kinds with fields and a mark, of 100 times as many that there
// is room for.
func benchWorld(b *testing.B, n int) (world.State, []world.GameObject) {
	b.Helper()
	s, err := world.CreateState(world.Counts{GameObjects: 100 * n, Kinds: layout.Kinds(
		benchKind.Count(100*n), benchPace.Count(100*n), benchHeat.Count(100*n), benchMark,
	)})
	require.NoError(b, err)
	ids := make([]world.GameObject, n)
	for i := range ids {
		s, ids[i] = world.Must2(world.CreateWith(s, benchKind, benchPace, benchHeat, benchMark))
	}
	return s, ids
}

// BenchmarkPack packs and unpacks groups of objects that lie side by side, and one of objects that
// were created and disposed at random and are listed in any order:
//
//	go test -run=- -bench=Pack -benchtime=2000x -count=10 ./world/pack
func BenchmarkPack(b *testing.B) {
	for _, n := range []int{1, 64, 1000, 10_000} {
		s, ids := benchWorld(b, n)
		packAndUnpack(b, fmt.Sprint("n=", n), s, ids)
	}
	const n = 1000
	s, ids := benchWorld(b, 4*n)
	r := rand.New(rand.NewPCG(1, 1))
	shuffle := func() { r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] }) }
	for range 5 {
		shuffle()
		s = world.Must(world.Dispose(s, ids[:2*n]...))
		for i := range 2 * n {
			s, ids[i], _ = world.CreateWith(s, benchKind, benchPace, benchHeat, benchMark)
		}
	}
	shuffle()
	packAndUnpack(b, "scattered", s, ids[:n])
}

func packAndUnpack(b *testing.B, name string, s world.State, ids []world.GameObject) {
	b.Helper()
	report := func(b *testing.B) {
		b.Helper()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ids)), "ns/object")
	}
	var p pack.Packer
	packed, err := p.Pack(nil, s, ids...)
	require.NoError(b, err)
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			packed, _ = p.Pack(packed[:0], s, ids...)
		}
		report(b)
	})
	b.Run(name+"/unpack", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s = world.Must(world.Dispose(s, ids...))
			b.StartTimer()
			if s, ids, err = p.Unpack(ids[:0], s, packed); err != nil {
				b.Fatal(err)
			}
		}
		report(b)
	})
	world.Close(s)
}
