package systems

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// A tank has a turret, which has three guns: all of them know each other.
var (
	hullTurret = layout.NewField[GameObject]("turret")
	tankKind   = layout.NewKind("tank", hullTurret)
	turretHull = layout.NewField[GameObject]("hull")
	turretGuns = layout.NewField[[3]GameObject]("guns")
	turretKind = layout.NewKind("turret", turretHull, turretGuns)
	gunTurret  = layout.NewField[GameObject]("turret")
	gunKind    = layout.NewKind("gun", gunTurret)

	bareTank   = NewRecipe("tank", tankKind)
	turretMade = NewRecipe("turret", turretKind)
	gunMade    = NewRecipe("gun", gunKind)

	arming = NewQuery(Write(hullTurret))

	lastArmed  = layout.NewField[GameObject]("last")
	armedCount = NewResource("armed", lastArmed)
	armedTank  = layout.NewField[GameObject]("tank")
	armedEvent = NewEvents("a tank was armed", armedTank)
)

func tanks(t *testing.T, n int) State {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: 5*n + 300, Recipes: []Recipe{bareTank, turretMade, gunMade},
		Kinds:     []layout.Count{tankKind.Count(n + 64), turretKind.Count(n + 64), gunKind.Count(3*n + 64)},
		Resources: []ResourceKind{armedCount}, Events: []EventCount{armedEvent.Count(4)},
	}))
	s = sure(SpawnN(s, bareTank, n, nil))
	return s
}

// arm gives every tank its turret and guns, in a walk.
func arm(s State) State {
	for b := range arming.In(s) {
		turrets := Column(b, hullTurret)
		for i := range turrets {
			turrets[i] = b.Spawn(turretMade, turretHull.Value(b.ID(i)))
			var guns [3]GameObject
			for g := range guns {
				guns[g] = b.Spawn(gunMade, gunTurret.Value(turrets[i]))
			}
			Put(Commands{b.job}, turrets[i], turretGuns, guns)
		}
	}
	return s
}

// requireArmed checks that all parts of all tanks know each other.
func requireArmed(t *testing.T, s State, n int) {
	t.Helper()
	require.NoError(t, ToolsOf(s).Verify())
	require.Equal(t, 5*n, Len(s))
	seen := map[GameObject]bool{}
	for b := range NewQuery(Read(hullTurret)).In(s) {
		for i, turret := range Column(b, hullTurret) {
			require.True(t, Alive(s, turret), "%+v", turret)
			require.Equal(t, b.ID(i), sure(Get(s, turret, turretHull)))
			for _, gun := range sure(Get(s, turret, turretGuns)) {
				require.Equal(t, turret, sure(Get(s, gun, gunTurret)))
				require.False(t, seen[gun])
				seen[gun] = true
			}
		}
	}
	require.Len(t, seen, 3*n)
}

func TestRecordedIDsBecomeReal(t *testing.T) {
	for _, n := range []int{1, 63, 500} {
		for _, again := range []int{1, 2} {
			s := tanks(t, n)
			for round := range again { // the second arms other tanks
				if round > 0 {
					s = sure(NewQuery().DisposeAll(s))
					s = sure(SpawnN(Advance(s), bareTank, n, nil))
				}
				s = sure(Apply(arm(s)))
				requireArmed(t, s, n)
			}
		}
	}
}

// TestRecordedIDsOfRefusals: references to refused creations become nobody.
func TestRecordedIDsOfRefusals(t *testing.T) {
	s := tanks(t, 1)
	var last GameObject
	for range 100 {
		last = Record(s).Spawn(turretMade)
	}
	s = SetResource(s, lastArmed, last)
	s, err := Apply(s)
	require.ErrorIs(t, err, ErrFull)
	require.Equal(t, gameobject.Nobody, Resource(s, lastArmed))
	require.Equal(t, 65, managed(s, turretKind).Mounted())
	var refused *ApplyError
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Refused, 35)
}

// TestApplyKeeping: commands refused for want of room are carried out in a larger world.
func TestApplyKeeping(t *testing.T) {
	s := tanks(t, 1)
	c := Record(s)
	var turrets []GameObject
	for range 100 {
		turret := c.Spawn(turretMade, turretHull.Value(7))
		gun := c.Spawn(gunMade, gunTurret.Value(turret))
		Put(c, turret, turretGuns, [3]GameObject{gun, 0, gun})
		turrets = append(turrets, turret)
	}
	c.Dispose(1 << 40) // refused for good
	s = SetResource(s, lastArmed, turrets[80])
	s, err := ApplyKeeping(s)
	require.ErrorIs(t, err, ErrFull)
	require.ErrorIs(t, err, ErrDead)
	require.Equal(t, turrets[80], Resource(s, lastArmed), "it may still be created")

	counts := CountsOf(s)
	counts.GameObjects = 1000
	counts.Kinds = []layout.Count{tankKind.Count(1000), turretKind.Count(1000), gunKind.Count(1000)}
	s = sure(Resized(s, counts))
	late := Record(s).Spawn(turretMade)
	s = sure(ApplyKeeping(Advance(s)))
	require.True(t, Alive(s, sure(Applied(s, late))))
	require.Equal(t, 101, managed(s, turretKind).Mounted())
	require.Equal(t, 100, managed(s, gunKind).Mounted())
	last := Resource(s, lastArmed)
	require.Equal(t, sure(Applied(s, turrets[80])), last)
	require.Equal(t, GameObject(7), sure(Get(s, last, turretHull)))
	require.Equal(t, last, sure(Get(s, sure(Get(s, last, turretGuns))[0], gunTurret)))
	require.NoError(t, settled(s))
	require.NoError(t, ToolsOf(s).Verify())
}

// TestSnapshotsHoldRecordedIDs: recorded commands that were not applied are in a snapshot; and
// tasks record the same ids after Restore, also if no task had run then.
func TestSnapshotsHoldRecordedIDs(t *testing.T) {
	s := tanks(t, 3)
	first, p := taken(s), sure(NewSnapshot(s))
	armed := []Task{{Run: []func(State) State{arm}, Queries: []Query{arming}}}
	s = RunTasks(s, nil, armed)
	require.NoError(t, p.Take(s))
	recorded := Digest(s)
	s = sure(Apply(s))
	digest := Digest(s)
	s = sure(SpawnN(Advance(s), gunMade, 3, nil))
	for range 2 {
		s = sure(Restore(s, p))
		s = sure(Apply(s))
		require.Equal(t, digest, Digest(s))
		requireArmed(t, s, 3)
		s = RunTasks(sure(Restore(s, first)), nil, armed)
		require.Equal(t, recorded, Digest(s))
	}
}

// cutShort calls f on a goroutine that f may end, and recovers from its panic.
func cutShort(f func()) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	<-done
}

// TestWhatTasksWroteIsStampedHoweverTheyEnd: what a snapshot takes afterwards is the world.
func TestWhatTasksWroteIsStampedHoweverTheyEnd(t *testing.T) {
	moving := NewQuery(Write(local))
	for name, end := range map[string]func(){
		"panic": func() { panic("out") }, "Goexit": runtime.Goexit,
	} {
		for last := range 3 {
			t.Run(fmt.Sprint(name, last), func(t *testing.T) {
				s, _ := forest(t, 1, 2000)
				p := sure(NewSnapshot(s))
				s = Advance(s)
				require.NoError(t, p.Take(s))
				s = Advance(s)
				var tasks []Task
				for i := range 3 {
					tasks = append(tasks, Task{
						Queries: []Query{moving}, First: uint32(i), End: uint32(i + 1),
						Run: []func(State) State{func(s State) State {
							Record(s).Create()
							for b := range moving.In(s) {
								for row := range Column(b, local) {
									Column(b, local)[row][0]++
								}
							}
							if i == last {
								end()
							}
							return s
						}},
					})
				}
				cutShort(func() { RunTasks(s, nil, tasks) })
				require.NoError(t, p.Take(s))
				require.Equal(t, Digest(s), p.Digest())
				require.Positive(t, ToolsOf(s).Unapplied())
				s = sure(Recovered(s))
				require.Zero(t, ToolsOf(s).Unapplied())
				p.Close()
				Close(s)
			})
		}
	}
}

// TestDisposalsAmongOtherChanges: recorded disposals of objects of slabs, in any order, and changes
// between them leave the bytes of the calls.
func TestDisposalsAmongOtherChanges(t *testing.T) {
	s := sure(CreateState(Counts{GameObjects: 2048, Recipes: []Recipe{bareTank, gunMade}}))
	s = sure(SpawnN(s, bareTank, 300, nil))
	direct := sure(Clone(s))
	defer func() { Close(s); Close(direct) }()
	ids := slices.Collect(GameObjects(s))
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	c := Record(s)
	for i, id := range ids {
		switch i % 8 {
		case 0:
			c.Add(id, gunKind)
			direct = sure(Add(direct, id, gunKind))
		case 7:
			c.Remove(id, tankKind)
			direct = sure(Remove(direct, id, tankKind))
		case 1:
			id = ids[i-1]
			fallthrough
		default:
			c.Dispose(id)
			direct = sure(Dispose(direct, id))
		}
	}
	s = sure(Apply(s))
	require.True(t, Equal(s, direct))
	require.NoError(t, ToolsOf(s).Verify())
}

// TestAllocsOfDisposals: disposals of objects of slabs, recorded or of a list, use their scratch
// again.
func TestAllocsOfDisposals(t *testing.T) {
	for name, dispose := range map[string]func(s State, ids []GameObject) State{
		"recorded": func(s State, ids []GameObject) State {
			c := Record(s)
			for _, id := range ids {
				c.Dispose(id)
			}
			return sure(Apply(s))
		},
		"list": func(s State, ids []GameObject) State { return sure(Dispose(s, ids...)) },
	} {
		s := sure(CreateState(Counts{GameObjects: 2048, Recipes: []Recipe{bareTank}}))
		ids := make([]GameObject, 0, 600)
		run := func() {
			s = sure(SpawnN(s, bareTank, 600, nil))
			ids = slices.AppendSeq(ids[:0], GameObjects(s))
			s = dispose(s, ids)
		}
		run()
		require.Zero(t, testing.AllocsPerRun(20, run), name)
		require.Zero(t, Len(s), name)
		Close(s)
	}
}
