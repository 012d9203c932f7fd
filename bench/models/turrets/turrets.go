// Package turrets is a system that places things on things: tanks drive, their turrets turn on
// them, and each has a gun ahead.
//
//	flatecs                 package pose: local poses, global ones by Update2
//	loop by hand            slices of x, y and angle, parents by index; Sincos per child
//	loop by hand, no angles the same over positions, cosines and sines
//
// Verbs: [Cases].
package turrets

import (
	"math"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

const (
	speed   = .25  // of tanks, world units per frame
	turning = .01  // of tanks, radians per frame
	aiming  = -.03 // of turrets
	behind  = -1.5 // where turrets are on their tanks
	ahead   = 7    // where guns are on their turrets
	apart   = 20   // from a tank to the next one at first
)

var (
	driving = layout.NewMark("driving")
	aimed   = layout.NewMark("aimed")

	tank   = world.NewRecipe("tank", pose.Local2, pose.Global2, driving)
	part   = world.NewRecipe("part", family.ChildOf, pose.Local2, pose.Global2)
	turret = world.NewRecipe("turret", family.ChildOf, pose.Local2, pose.Global2, aimed)

	drives = world.NewQuery(world.Write(pose.Local2), world.With(driving))
	aims   = world.NewQuery(world.Write(pose.Local2), world.With(aimed))
	placed = world.NewQuery(world.Read(pose.Global2))
)

// A frame is one way to do the work.
type frame interface {
	move()  // tanks and turrets
	place() // everything where it is in the world
	sum() float64
}

type flat struct{ state world.State }

func newFlat(n int) frame {
	s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{tank, part, turret}}))
	at := func(x float32) []layout.FieldValue {
		return []layout.FieldValue{pose.Local2.Value(pose.At2(x, 0))}
	}
	tree := family.Tree{Recipe: tank, Children: []family.Tree{{
		Recipe: turret, Values: at(behind),
		Children: []family.Tree{{Recipe: part, Values: at(ahead)}},
	}}}
	for i := range n {
		var err error
		if s, _, err = family.Spawn(s, tree, at(float32(apart*i))...); err != nil {
			panic(err)
		}
	}
	return &flat{s}
}

func (f *flat) move() {
	f.state = world.Advance(f.state)
	step, turn := pose.Turn2(turning), pose.Turn2(aiming)
	for b := range drives.In(f.state) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			local[i].Rotation = local[i].Rotation.Times(step)
			local[i] = local[i].Compose(pose.At2(speed, 0))
		}
	}
	for b := range aims.In(f.state) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			local[i].Rotation = local[i].Rotation.Times(turn)
		}
	}
}

func (f *flat) place() { f.state = pose.Update2(f.state) }

func (f *flat) sum() (sum float64) {
	for b := range placed.In(f.state) {
		for _, p := range world.Column(b, pose.Global2) {
			sum += float64(p.X) + float64(p.Y)
		}
	}
	return sum
}

// A loops is the work by hand, in slices.
type loops[P any] struct {
	local, global []P
	parent        []int32 // or -1
	tanks         int
}

// An angled is the loop that one writes by hand; a turned is the same over poses, as flatecs has.
type (
	angled  loops[placing]
	turned  loops[pose.Pose2]
	placing struct{ x, y, angle float32 }
)

func newAngled(n int) frame {
	a := &angled{global: make([]placing, 3*n), tanks: n}
	for i := range 3 * n { // tanks, turrets, guns
		at := []float32{float32(apart * i), behind, ahead}[i/n]
		a.local, a.parent = append(a.local, placing{x: at}), append(a.parent, int32(max(i-n, -1)))
	}
	return a
}

func (a *angled) move() {
	for i := range a.local[:a.tanks] {
		p := &a.local[i]
		p.angle += turning
		sin, cos := math.Sincos(float64(p.angle))
		p.x += float32(float32(cos) * speed)
		p.y += float32(float32(sin) * speed)
	}
	turrets := a.local[a.tanks : 2*a.tanks]
	for i := range turrets {
		turrets[i].angle += aiming
	}
}

func (a *angled) place() {
	for i, parent := range a.parent {
		l := a.local[i]
		if parent < 0 {
			a.global[i] = l
			continue
		}
		p := a.global[parent]
		s, c := math.Sincos(float64(p.angle))
		sin, cos := float32(s), float32(c)
		a.global[i] = placing{
			p.x + float32(cos*l.x) - float32(sin*l.y),
			p.y + float32(sin*l.x) + float32(cos*l.y),
			p.angle + l.angle,
		}
	}
}

func (a *angled) sum() (sum float64) {
	for _, p := range a.global {
		sum += float64(p.x) + float64(p.y)
	}
	return sum
}

func newTurned(n int) frame {
	a := newAngled(n).(*angled)
	t := &turned{global: make([]pose.Pose2, 3*n), parent: a.parent, tanks: n}
	for _, l := range a.local {
		t.local = append(t.local, pose.At2(l.x, l.y))
	}
	return t
}

func (t *turned) move() {
	step, turn := pose.Turn2(turning), pose.Turn2(aiming)
	for i := range t.local[:t.tanks] {
		p := &t.local[i]
		p.Rotation = p.Rotation.Times(step)
		*p = p.Compose(pose.At2(speed, 0))
	}
	for i := range t.tanks {
		p := &t.local[t.tanks+i]
		p.Rotation = p.Rotation.Times(turn)
	}
}

func (t *turned) place() {
	for i, parent := range t.parent {
		if parent < 0 {
			t.global[i] = t.local[i]
			continue
		}
		t.global[i] = t.global[parent].Compose(t.local[i])
	}
}

func (t *turned) sum() (sum float64) {
	for _, p := range t.global {
		sum += float64(p.X) + float64(p.Y)
	}
	return sum
}

var ways = map[string]func(n int) frame{
	"flatecs":                 newFlat,
	"loop by hand":            newAngled,
	"loop by hand, no angles": newTurned,
}

// Cases are a frame of tanks, and the part of it that places everything.
func Cases() []harness.Case {
	one := func(name, title string, run func(frame)) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: "object", Sizes: []int{3_000, 30_000},
			Who:     []string{"flatecs", "loop by hand", "loop by hand, no angles"},
			Against: []string{"loop by hand"},
			How:     []string{"a third tanks, a third turrets, a third guns"},
			Make: func(who string, n int) harness.Work {
				f := ways[who](n / 3)
				for range 10 {
					f.move()
					f.place()
				}
				r := harness.Result{Count: n, Sum: f.sum()}
				for range 90 { // an angle of 0 is faster than others
					f.move()
				}
				w := harness.Work{Run: func() { run(f) }, Check: func() harness.Result { return r }}
				if ours, ok := f.(*flat); ok {
					w.Close = func() { world.Close(ours.state) }
				}
				return w
			},
		}
	}
	return []harness.Case{
		one("turrets", "Drive tanks with turrets and guns", func(f frame) {
			f.move()
			f.place()
		}),
		one("turrets_place", "Place what is on them", frame.place),
	}
}
