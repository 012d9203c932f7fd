package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// exhibitPacker has a codec for what objects of an exhibit have.
func exhibitPacker() *pack.Packer {
	return &pack.Packer{Codecs: []save.Codec{save.Values(busyNames,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })}}
}

// packed returns the pack of an object.
func packed(x *exhibit, s world.State) []byte {
	return world.Must(exhibitPacker().Pack(nil, s, x.bare))
}

// packContracts are those of packs.
func packContracts() map[string]contract {
	return map[string]contract{
		"pack.Pack": reads(func(x *exhibit, s world.State) {
			world.Must(pack.Pack(nil, s, x.bare))
		}),
		"pack.Packer.Pack": reads(func(x *exhibit, s world.State) {
			world.Must(exhibitPacker().Pack(nil, s, x.full))
		}),
		"pack.Unpack": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(pack.Unpack(s, packed(x, x.kept.State())))
		}),
		"pack.Packer.Unpack": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(exhibitPacker().Unpack(nil, s, packed(x, x.kept.State())))
		}),
		"pack.SameID": knowsNone(func() { pack.SameID(0) }),
		"pack.DigestObjects": reads(func(_ *exhibit, s world.State) {
			_, _ = pack.DigestObjects(s, exhibited)
		}),
		"pack.Packer.DigestObjects": reads(func(_ *exhibit, s world.State) {
			world.Must(exhibitPacker().DigestObjects(s, exhibited))
		}),
		"pack.GlobalOf": reads(func(x *exhibit, s world.State) {
			world.Must(pack.GlobalOf(s, x.full))
		}),
		"GlobalOf": reads(func(x *exhibit, s world.State) {
			world.Must(systems.GlobalOf(s, x.full))
		}),
		"pack.ByGlobal": reads(func(_ *exhibit, s world.State) { pack.ByGlobal(s, 9) }),
		"ByGlobal":      reads(func(_ *exhibit, s world.State) { systems.ByGlobal(s, 9) }),
		"pack.SetGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return pack.SetGlobal(s, x.bare, 3)
		}),
		"SetGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return systems.SetGlobal(s, x.bare, 3)
		}),
		"pack.NewGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(pack.NewGlobal(s, x.bare))
		}),
		"NewGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(systems.NewGlobal(s, x.bare))
		}),
		"pack.NextGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(pack.NextGlobal(s, x.full))
		}),
		"NextGlobal": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(systems.NextGlobal(s, x.full))
		}),
		"pack.Globals": reads(func(_ *exhibit, s world.State) { numbersOf(s, pack.Globals) }),
		"Globals":      reads(func(_ *exhibit, s world.State) { numbersOf(s, systems.Globals) }),
	}
}

func numbersOf(s world.State, of func(world.Batch) []uint64) {
	for b := range world.NewQuery(world.Read(pack.Global)).In(s) {
		of(b)
	}
}

// groupContracts are those of what packing is built on.
func groupContracts() map[string]contract {
	sorted := func(f func(g *tool.Groups)) contract {
		return reads(func(x *exhibit, s world.State) {
			var g tool.Groups
			if err := g.Sort(s, []world.GameObject{x.full}); err != nil {
				panic(err)
			}
			f(&g)
		})
	}
	components := func(f func(c *tool.Components)) contract {
		return sorted(func(g *tool.Groups) {
			c := g.Components(0, 0)
			f(&c)
		})
	}
	return map[string]contract{
		"tool.Groups.Sort":       sorted(func(*tool.Groups) {}),
		"tool.Groups.Len":        sorted(func(g *tool.Groups) { g.Len() }),
		"tool.Groups.Objects":    sorted(func(g *tool.Groups) { g.Objects(0) }),
		"tool.Groups.Has":        sorted(func(g *tool.Groups) { g.Has(0, 0) }),
		"tool.Groups.Keeps":      sorted(func(g *tool.Groups) { g.Keeps(0, 0) }),
		"tool.Groups.Uses":       sorted(func(g *tool.Groups) { g.Uses(0) }),
		"tool.Groups.Places":     sorted(func(g *tool.Groups) { g.Places(0) }),
		"tool.Groups.Place":      sorted(func(g *tool.Groups) { g.Place(1 << 32) }),
		"tool.Groups.Components": components(func(*tool.Components) {}),
		"tool.Components.Rows":   components(func(c *tool.Components) { c.Rows() }),
		"tool.Components.Values": components(func(c *tool.Components) { c.Values() }),
		"tool.Components.AppendColumn": components(func(c *tool.Components) {
			c.AppendColumn(nil, 0)
		}),
	}
}

// makingContracts are those of what unpacking is built on.
func makingContracts() map[string]contract {
	made := func(f func(x *exhibit, g *tool.Groups, ids []world.GameObject)) contract {
		return steps(func(x *exhibit, s world.State) world.State {
			var g tool.Groups
			g.Begin(s)
			ids := g.Create(nil, 1)
			f(x, &g, ids)
			return g.End()
		})
	}
	none := func(*exhibit, *tool.Groups, []world.GameObject) {}
	return map[string]contract{
		"tool.Groups.Begin":  made(none),
		"tool.Groups.End":    made(none),
		"tool.Groups.Create": made(none),
		"tool.Groups.Add": made(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
			g.Add(0, 0)
		}),
		"tool.Groups.Suspend": made(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
			g.Add(0, 0)
			g.Suspend(0, 0)
		}),
		"tool.Groups.Name": made(func(_ *exhibit, g *tool.Groups, ids []world.GameObject) {
			g.Name(ids[0], []byte("new"), false)
		}),
		"tool.Components.SetColumn": made(
			func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
				g.Add(0, 0)
				c := g.Components(0, 0)
				c.SetColumn(c.AppendColumn(nil, 0), 0)
			}),
		"tool.Components.IndexKeys": made(
			func(x *exhibit, g *tool.Groups, _ []world.GameObject) {
				n := world.Must(tool.NumberOf(x.kept.State(), pack.Global))
				g.Add(0, n)
				c := g.Components(0, n)
				c.IndexKeys()
			}),
		"tool.CheckRoom": reads(func(_ *exhibit, s world.State) { _ = tool.CheckRoom(s, 0, 1) }),
		"Changing": steps(func(_ *exhibit, s world.State) world.State {
			return systems.Changing(s).Changed()
		}),
		"Arena.Changed": steps(func(_ *exhibit, s world.State) world.State {
			return systems.Changing(s).Changed()
		}),
		"Arena.Name": steps(func(x *exhibit, s world.State) world.State {
			a := systems.Changing(s)
			a.Name(x.bare, []byte("bare"), true)
			return a.Changed()
		}),
	}
}
