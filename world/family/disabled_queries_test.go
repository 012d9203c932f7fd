package family_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// A had is what an object has.
type had struct{ label, whole, tagged, off bool } // whole: label and all references

// looked are queries beside what they match.
var looked = []struct {
	query world.Query
	match func(h had) bool
}{
	{labels, func(h had) bool { return h.label && !h.off }},
	{world.NewQuery(), func(h had) bool { return !h.off }},
	{world.NewQuery(world.Without(tagged)), func(h had) bool { return !h.tagged && !h.off }},
	{world.NewQuery(world.With(layout.Disabled)), func(h had) bool { return h.off }},
	{
		world.NewQuery(world.Read(label), world.With(layout.Disabled)),
		func(h had) bool { return h.label && h.off },
	},
	{world.NewQuery(world.Without(layout.Disabled)), func(h had) bool { return !h.off }},
	{
		world.NewQuery(world.Read(label), world.Optional(layout.Disabled)),
		func(h had) bool { return h.label },
	},
	{world.NewQuery(world.Optional(layout.Disabled)), func(_ had) bool { return true }},
	{
		world.NewQuery(world.Any(tagged, layout.Disabled)),
		func(h had) bool { return h.tagged || h.off },
	},
	{
		world.NewQuery(world.Any(tagged, label)),
		func(h had) bool { return (h.label || h.tagged) && !h.off },
	},
	{
		world.NewQuery(world.Only(label, family.ChildOf, tied, likes)),
		func(h had) bool { return h.whole && !h.tagged && !h.off },
	},
	{
		world.NewQuery(world.Only(label, family.ChildOf, tied, likes, layout.Disabled)),
		func(h had) bool { return h.whole && !h.tagged && h.off },
	},
	{
		world.NewQuery(family.NoTarget(needs), world.Optional(label)),
		func(h had) bool { return !h.off },
	},
}
