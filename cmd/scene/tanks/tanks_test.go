package tanks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/stage"
)

// Everything is where its parent is, whatever was set free and disposed meanwhile.
func TestChildrenGoWhereTheirParentsGo(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 40, Seed: 1, Variant: Four})
	for step := range 700 {
		s = p.Step(s, 0)
		for id := range world.GameObjects(s) {
			local := world.Must(world.Get(s, id, pose.Local2))
			want := local
			if world.Has(s, id, family.ChildOf) {
				parent := world.Must(world.Get(s, id, family.ChildOf))
				above, err := world.Get(s, parent, pose.Global2)
				require.NoError(t, err, "step %d: %v is a child of %v", step, id, parent)
				want = above.Compose(local)
			}
			require.Equal(t, want, world.Must(world.Get(s, id, pose.Global2)), "step %d: %v", step, id)
		}
	}
	require.NoError(t, tool.Verify(s))
}

// Objects of a battle have names that say their side and their part.
func TestWhatObjectsAreCalled(t *testing.T) {
	_, s := scenetest.Open(t, Scene, scene.Options{Count: 8, Seed: 1, Variant: Four})
	names := map[string]int{}
	for id := range world.GameObjects(s) {
		names[called(s, id)]++
	}
	for _, whose := range sideNames {
		assert.Equal(t, 2, names[whose+" tank"], whose)
		assert.Equal(t, 2, names[whose+" turret"], whose)
	}
	assert.Len(t, names, 3*most)
	assert.Empty(t, called(s, world.Nobody))
}

// A model beside the world: tanks that were hit, tanks that broke, and the remaining parts.
func TestTanksFallApart(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 20, Seed: 2})
	freed, burnt := 0, 0
	for range 2000 {
		turrets := map[world.GameObject]world.GameObject{} // and their hulls
		for b := range leaving.In(s) {
			for i, hull := range world.Column(b, family.ChildOf) {
				turrets[b.ID(i)] = hull
			}
		}
		guns, wrecks := gunsOf(s), map[world.GameObject]float32{}
		for b := range wrecked.In(s) {
			for i, n := range world.Column(b, left) {
				wrecks[b.ID(i)] = n
			}
		}
		s = p.Step(s, 0)
		for turret, hull := range turrets {
			require.True(t, world.Alive(s, turret))
			on := world.Has(s, turret, family.ChildOf)
			require.Equal(t, world.Alive(s, hull), on, "it leaves its hull when that is disposed")
			require.Equal(t, on, world.Has(s, turret, Target))
			require.Equal(t, !on, world.Has(s, turret, Motion))
			require.Equal(t, 2, family.Count(s, family.ChildOf, turret), "with its guns")
			if !on {
				freed++
			}
		}
		for wreck, n := range wrecks {
			require.Equal(t, n > 1, world.Alive(s, wreck))
			if n > 1 {
				continue
			}
			burnt++
			for _, gun := range guns[wreck] {
				require.False(t, world.Alive(s, gun), "guns go with their turret")
			}
		}
		require.LessOrEqual(t, world.Len(s), room*20)
		require.GreaterOrEqual(t, hulls.Count(s), 15)
	}
	require.Greater(t, freed, 20)
	require.Greater(t, burnt, 10)
}

var wrecked = world.NewQuery(world.Read(left), world.With(Motion), world.Without(Shell))

func gunsOf(s world.State) map[world.GameObject][]world.GameObject {
	guns := map[world.GameObject][]world.GameObject{}
	for b := range firing.In(s) {
		for i, turret := range world.Column(b, family.ChildOf) {
			guns[turret] = append(guns[turret], b.ID(i))
		}
	}
	return guns
}

// Each hull loses what brute force over all shells says.
func TestShellsHitHullsOfOthers(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 30, Seed: 5, Variant: Four})
	all := 0
	for range 1000 {
		want := map[world.GameObject]uint8{}
		for b := range bearing.In(s) {
			at, sides := world.Column(b, heroes.Position), world.Column(b, side)
			for i, strong := range world.Column(b, armour) {
				n := shellsAt(s, flat(at[i]), sides[i])
				want[b.ID(i)] = strong - min(n, strong)
				all += int(n)
			}
		}
		s = p.Step(s, 0)
		for hull, strong := range want {
			if got, err := world.Get(s, hull, armour); strong == 0 {
				require.ErrorIs(t, err, world.ErrDead)
			} else {
				require.NoError(t, err)
				require.Equal(t, strong, got)
			}
		}
	}
	require.Greater(t, all, 100)
}

// shellsAt counts the shells of others that hit a hull.
func shellsAt(s world.State, at [2]float32, own uint8) (n uint8) {
	for b := range shells.In(s) {
		for i, p := range world.Column(b, heroes.Position) {
			of := world.Must(world.Get(s, b.ID(i), side))
			if of != own && square(minus(flat(p), at)) <= 81 {
				n++
			}
		}
	}
	return n
}

// A turret has the nearest hull of another side as its target, unless it has one within reach.
func TestTurretsAimByReference(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 30, Seed: 4})
	kept, on := 0, 0
	for range 1000 {
		before := s
		want := map[world.GameObject]world.GameObject{}
		for b := range spotting.In(s) {
			at, sides := world.Column(b, pose.Global2), world.Column(b, side)
			for i, target := range world.Column(b, Target) {
				p, err := world.Get(s, target, heroes.Position)
				if err != nil || square(minus(flat(p), at[i].Position())) >= reach*reach {
					target = nearestOf(s, at[i].Position(), sides[i])
				} else {
					kept++
				}
				want[b.ID(i)] = target
			}
		}
		s = p.Step(before, 0)
		for b := range aiming.In(s) {
			aims := world.Column(b, aimed)
			for i, target := range world.Column(b, Target) {
				hull, known := want[b.ID(i)]
				if known && world.Alive(s, hull) {
					require.Equal(t, hull, target)
				} else {
					require.Zero(t, target, "the relation is cleared")
				}
				on += int(aims[i])
			}
		}
	}
	require.Greater(t, kept, 1000)
	require.Greater(t, on, 1000)
}

func nearestOf(s world.State, at [2]float32, own uint8) (found world.GameObject) {
	best := float32(reach * reach)
	for b := range hulls.In(s) {
		sides := world.Column(b, side)
		for i, p := range world.Column(b, heroes.Position) {
			if far := square(minus(flat(p), at)); sides[i] != own && far < best {
				found, best = b.ID(i), far
			}
		}
	}
	return found
}

// The battle goes on: sides stay equally strong, and no tank leaves the field.
func TestTheBattleGoesOn(t *testing.T) {
	for _, v := range Scene.Variants {
		p, s := scenetest.Open(t, Scene, scene.Options{Count: 24, Seed: 1, Variant: v.Name})
		f := &battle{sides: map[string]int{Two: 2, Four: 4}[v.Name]}
		high := world.Resource(s, wide) * 2 / 3
		for step := range 2500 {
			s = p.Step(s, 0)
			strength := f.strength(s)
			for n, tanks := range strength[:f.sides] {
				require.GreaterOrEqual(t, tanks, 24/f.sides-5, "step %d, side %d", step, n)
			}
			for b := range hulls.In(s) {
				for _, p := range world.Column(b, heroes.Position) {
					const length = 20 // of a tank
					require.InDelta(t, high*3/4, p[0], float64(high*3/4+length))
					require.InDelta(t, high/2, p[1], float64(high/2+length))
				}
			}
		}
	}
}

// A tank that is where it drives to has no way, and gets another goal.
func TestTanksAtTheirGoal(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 4, Seed: 1})
	for b := range driving.In(s) {
		for i, at := range world.Column(b, pose.Local2) {
			world.Column(b, goal)[i] = at.Position()
		}
	}
	s = p.Step(s, 0)
	for b := range driving.In(s) {
		for i, at := range world.Column(b, pose.Local2) {
			require.Positive(t, square(minus(world.Column(b, goal)[i], at.Position())))
		}
	}
}

// A field that is full of wrecks gets no tank until some have burnt out.
func TestTanksWaitForRoom(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 1, Seed: 1})
	s = world.Must(hulls.DisposeAll(s))
	s = world.Must(world.SpawnN(s, blast, room/2+1, nil))
	for b := range fading.In(s) {
		for i := range b.Len() {
			world.Column(b, left)[i] = 5
		}
	}
	for range 4 {
		s = p.Step(s, 0)
		require.Zero(t, hulls.Count(s))
	}
	s = p.Step(p.Step(s, 0), 0)
	require.Equal(t, 1, hulls.Count(s))
	_, s = scenetest.Open(t, Scene, scene.Options{})
	require.Zero(t, world.Len(s))
}

func TestDrawing(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 30, Seed: 1, Variant: Four})
	for range 1000 {
		s = p.Step(s, 0)
	}
	c := scenetest.NewCanvas()
	c.Begin()
	s = p.Scene.Draw(s, c)
	report := world.Must(c.End())
	n := world.Len(s)
	assert.Equal(t, render.Report{DrawCalls: n, Sprites: n, Bytes: n * render.SpriteBytes}, report)
	l := p.Scene.Look()
	seen := map[int]bool{}
	for _, mark := range c.Over.Marks() {
		sprite := mark.Sprite
		require.Less(t, sprite.Image, len(l.Images))
		require.Positive(t, sprite.W)
		seen[sprite.Image/most] = true
	}
	assert.Len(t, seen, partCount, "each part is seen")
	g := stage.NewGizmos(100)
	s = p.Scene.DrawGizmos(s, g)
	n = 0
	for b := range spotting.In(s) {
		for _, target := range world.Column(b, Target) {
			if target != 0 {
				n++
			}
		}
	}
	assert.Positive(t, n)
	assert.Equal(t, n, g.Len())
}
