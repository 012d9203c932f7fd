package worldtest_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/share"
)

var (
	fewGold   = layout.NewComponent[uint32]("few gold", 3)
	fewSung   = layout.NewValues("few sung", "")
	fewItems  = layout.NewList[uint16]("few items")
	fewNumber = layout.NewField[uint64]("few number")
	fewMark   = layout.NewMark("few mark")
	fewKings  = [2]world.Watcher{
		world.NewWatcher(world.NewQuery(world.With(fewGold))).Keep(fewGold),
		world.NewWatcher(world.NewQuery(world.With(fewGold), world.Without(fewMark))).Keep(fewGold),
	}
	fewSingers = world.NewWatcher(world.NewQuery(world.With(fewGold, fewSung.Kind()))).
			Keep(fewGold, fewSung.Kind())
	fewRecipes = [2]world.Recipe{
		world.NewRecipe("few ones", fewGold), world.NewRecipe("few others", fewGold, fewMark),
	}
	fewResources = [2]world.ResourceKind{
		world.NewResource("few score", layout.NewField[int32]("few points")),
		world.NewResource("few size", layout.NewField[int32]("few pixels")),
	}
	fewEvents  = world.NewEvents("few keys", fewNumber)
	fewReaders = [2]world.EventReader{fewEvents.NewReader("first"), fewEvents.NewReader("second")}
	fewCodec   = save.Values(fewSung, func(dst []byte, v string) ([]byte, error) {
		return append(dst, v...), nil
	}, func(b []byte) (string, error) { return string(b), nil })
)

// few has how many there are of each part of Counts.
type few struct{ Gold, Watchers, Names, Globals, Ring, Readers, Items, Sung, Recipes, Resources, Seed int }

// parts are the numbers, and the most of each.
func (f *few) parts() (numbers []*int, most []int) {
	return []*int{
		&f.Gold, &f.Watchers, &f.Names, &f.Globals, &f.Ring, &f.Readers, &f.Items, &f.Sung, &f.Recipes,
		&f.Resources, &f.Seed,
	}, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}
}

// eachFew calls do for every step-th combination of numbers.
func eachFew(step int, do func(f few)) {
	var f few
	numbers, most := f.parts()
	all := 1
	for _, n := range most {
		all *= n + 1
	}
	for number := 0; number < all; number += step {
		left := number
		for i, n := range most {
			*numbers[i] = left % (n + 1)
			left /= n + 1
		}
		do(f)
	}
}

// eachPair calls do for every two numbers of every two parts, and one of each other part.
func eachPair(do func(f few)) {
	var f few
	numbers, most := f.parts()
	for i := range numbers {
		for j := range i {
			for _, n := range numbers {
				*n = 1
			}
			for x := range most[i] + 1 {
				for y := range most[j] + 1 {
					*numbers[i], *numbers[j] = x, y
					do(f)
				}
			}
		}
	}
}

func (f few) counts() world.Counts {
	c := world.Counts{
		GameObjects: 3, Kinds: layout.Kinds(fewGold.Count(f.Gold), fewMark.Count(0)), Names: f.Names,
		Globals: f.Globals, Recipes: fewRecipes[:f.Recipes], Resources: fewResources[:f.Resources],
		Watchers: fewKings[:f.Watchers:f.Watchers], Seed: uint64(f.Seed),
	}
	if f.Ring > 0 {
		c.Events = []world.EventCount{fewEvents.Count(f.Ring, fewReaders[:f.Readers]...)}
	}
	if f.Items > 0 {
		c.Kinds = append(c.Kinds, fewItems.Count(f.Items, f.Items))
	}
	if f.Sung > 0 {
		c.Kinds = append(c.Kinds, fewSung.Count(f.Sung))
		c.Watchers = append(c.Watchers, fewSingers)
	}
	return c
}

// live fills the world as far as it has room, which is not far, and empties a part of it again.
func (f few) live(s world.State) world.State {
	var id world.GameObject
	for i := range 3 {
		switch {
		case i < f.Recipes:
			if next, n, err := world.Spawn(s, fewRecipes[i]); err == nil {
				s, id = next, n
			}
		default:
			if next, n, err := world.Create(s); err == nil {
				s, id = next, n
			}
		}
		if !world.Alive(s, id) {
			continue
		}
		for _, do := range []func(world.State) (world.State, error){
			func(s world.State) (world.State, error) { return world.Add(s, id, fewGold) },
			func(s world.State) (world.State, error) { return world.Set(s, id, fewGold, uint32(7+i)) },
			func(s world.State) (world.State, error) { return world.Add(s, id, fewSung.Kind()) },
			func(s world.State) (world.State, error) { return world.SetValue(s, id, fewSung, fmt.Sprint(i)) },
			func(s world.State) (world.State, error) { return world.Add(s, id, fewItems.Kind()) },
			func(s world.State) (world.State, error) { return list.Append(s, id, fewItems, uint16(i)) },
			func(s world.State) (world.State, error) { return world.SetName(s, id, fmt.Sprint("n", i)) },
			func(s world.State) (world.State, error) {
				next, _, err := pack.NewGlobal(s, id)
				return next, err
			},
		} {
			if next, err := do(s); err == nil {
				s = next
			}
		}
	}
	for i := range f.Ring + 1 {
		if f.Ring > 0 {
			var b world.EventBatch
			s, b = fewEvents.Send(s)
			world.EventColumn(b, fewNumber)[0] = uint64(i)
		}
	}
	return s
}

// look has the watchers look, disposes the first object, and has the first reader read.
func (f few) look(s world.State) world.State {
	s = world.Advance(s)
	for _, w := range f.counts().Watchers {
		s = w.Look(s)
	}
	for id := range world.GameObjects(s) {
		s = world.Must(world.Dispose(s, id))
		break
	}
	if f.Ring > 0 && f.Readers > 0 {
		s, _, _ = fewReaders[0].Receive(s)
	}
	return s
}

// A fewWay leads from a world to an equal one of the same counts.
type fewWay struct {
	name string
	flat bool // not of Go values
	take func(t *testing.T, s world.State, c world.Counts) world.State
}

var fewWays = []fewWay{
	{"read", false, func(t *testing.T, s world.State, c world.Counts) world.State {
		t.Helper()
		o := save.Options{Codecs: []save.Codec{fewCodec}}
		var b bytes.Buffer
		check(save.Write(&b, s, o))
		r := bytes.NewReader(b.Bytes())
		read, report, err := save.Read(r, r.Size(), c, o)
		check(err)
		require.Empty(t, report.New)
		require.Empty(t, report.Dropped)
		require.Empty(t, report.Kept)
		again, _, err := save.Reread(r, r.Size(), world.Must(world.CreateState(c)), o)
		check(err)
		require.Equal(t, world.Digest(read), world.Digest(again))
		world.Close(again)
		return read
	}},
	{"clone", false, func(_ *testing.T, s world.State, _ world.Counts) world.State {
		return world.Must(world.Clone(s))
	}},
	{"resized", false, func(_ *testing.T, s world.State, c world.Counts) world.State {
		return world.Must(world.Resized(s, c))
	}},
	{"restored", false, func(_ *testing.T, s world.State, c world.Counts) world.State {
		p := world.Must(world.NewSnapshot(s))
		defer p.Close()
		check(p.Take(s))
		return world.Must(world.Restore(world.Must(world.CreateState(c)), p))
	}},
	{"copied from memory", true, func(t *testing.T, s world.State, c world.Counts) world.State {
		t.Helper()
		b := memory.Make(world.Must(memory.SizeOf(c)))
		p := world.Must(memory.NewSnapshot(s, b))
		check(p.Take(s))
		p.Close()
		head := world.Must(memory.Read(b))
		seen := world.Must(head.Attach(b))
		require.Equal(t, world.Digest(s), world.Digest(seen))
		world.Close(seen)
		open := world.Must(memory.Open(c, b))
		require.Equal(t, world.Digest(s), world.Digest(open))
		world.Close(open)
		return world.Must(memory.Copy(c, b))
	}},
	{"delta", true, func(_ *testing.T, s world.State, c world.Counts) world.State {
		base := world.Must(world.CreateState(c))
		return world.Must(delta.Apply(base, world.Must(delta.Append(nil, base, s))))
	}},
	{"shared", true, func(t *testing.T, s world.State, c world.Counts) world.State {
		t.Helper()
		if runtime.GOOS != "linux" {
			return world.Must(world.Clone(s))
		}
		path := filepath.Join(t.TempDir(), "shown")
		p := world.Must(share.Publish(path, s, share.Options{}))
		check(p.Offer(s))
		r := world.Must(share.OpenAny(path))
		frame := world.Must(r.Pin())
		require.Equal(t, world.Digest(s), world.Digest(frame.State()))
		frame.Unpin()
		check(r.Close())
		check(p.Close())
		return world.Must(world.Clone(s))
	}},
}

// TestWorldsOfFew makes worlds that have nothing, one or two of each part of Counts: whatever is
// written is read again, and lives on as the world does that it was written from.
func TestWorldsOfFew(t *testing.T) {
	worldtest.OneGoroutine(t)
	step := 4999
	if worldtest.AtLength() {
		step = 101
	}
	if testing.Short() {
		step = 20011
	}
	eachFew(step, func(f few) {
		s := f.live(world.Must(world.CreateState(f.counts())))
		for range 3 {
			f.copied(t, s, fewWays...)
			s = f.look(s)
		}
		f.packed(t, s)
		world.Close(s)
	})
	eachPair(func(f few) {
		s := f.look(f.live(world.Must(world.CreateState(f.counts()))))
		f.copied(t, s, fewWays[0])
		world.Close(s)
	})
}

// copied takes the world some ways.
func (f few) copied(t *testing.T, s world.State, ways ...fewWay) {
	t.Helper()
	c := f.counts()
	for _, way := range ways {
		if way.flat && f.Sung > 0 {
			continue
		}
		func() {
			defer func() {
				if err := recover(); err != nil {
					t.Fatalf("%s, %+v: %v", way.name, f, err)
				}
			}()
			other := way.take(t, s, c)
			require.NoError(t, tool.Verify(other), "%s, %+v", way.name, f)
			before := world.Digest(s) //flatecs:allow usedup each way leaves it
			require.Equal(t, before, world.Digest(other), "%s, %+v", way.name, f)
			own := f.look(world.Must(world.Clone(s)))
			other = f.look(other)
			require.Equal(t, world.Digest(own), world.Digest(other), "later: %s, %+v", way.name, f)
			world.Close(own)
			world.Close(other)
		}()
	}
}

// packed has all objects travel to a world of the same counts.
func (f few) packed(t *testing.T, s world.State) {
	t.Helper()
	var ids []world.GameObject
	ids = slices.AppendSeq(ids, world.GameObjects(s))
	p := pack.Packer{Codecs: []save.Codec{fewCodec}}
	b, err := p.Pack(nil, s, ids...)
	require.NoError(t, err, "%+v", f)
	other, got, err := p.Unpack(nil, world.Must(world.CreateState(f.counts())), b)
	require.NoError(t, err, "%+v", f)
	require.Len(t, got, len(ids))
	for i, id := range ids {
		require.Equal(t, world.Has(s, id, fewGold), world.Has(other, got[i], fewGold), "%+v", f)
		before, _ := world.NameOf(s, id)
		after, _ := world.NameOf(other, got[i])
		require.Equal(t, before, after, "%+v", f)
	}
	require.NoError(t, tool.Verify(other), "%+v", f)
	world.Close(other)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
