package pack

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// A selection is objects of a world in groups of equal kinds, with the kinds that are packed, in
// the order of the world.
type selection struct {
	state  world.State  // during a call
	groups *tool.Groups // the Packer's
	kinds  []kind
}

// choose groups objects, and lists the kinds of only that some group has or keeps suspended.
func (o *selection) choose(
	s world.State, groups *tool.Groups, ids []world.GameObject, only []layout.AnyKind,
	codecs []codec.Codec,
) error {
	o.state, o.groups, o.kinds = s, groups, o.kinds[:0]
	if err := groups.Sort(s, ids); err != nil {
		return err
	}
	a := systems.ArenaOf(s)
	for n := range systems.ToolsOf(s).OnObjects() {
		spec := a.Managers[n].Kind
		if !groups.Uses(n) || !listed(only, spec) {
			continue
		}
		k := kind{spec: spec, number: n, sort: sortOf(spec)}
		if err := k.findCodec(codecs); err != nil {
			return err
		}
		o.kinds = append(o.kinds, k)
	}
	return nil
}

// listed reports whether only includes a kind.
func listed(only []layout.AnyKind, spec *layout.KindSpec) bool {
	return only == nil || slices.ContainsFunc(only, func(k layout.AnyKind) bool {
		if k == nil {
			panic("pack: Packer.Only lists a nil kind; list kinds or fields that were declared")
		}
		return k.Kind().Spec() == spec
	})
}

// release drops the references to the world.
func (o *selection) release() { o.state, o.kinds = world.State{}, o.kinds[:0] }
