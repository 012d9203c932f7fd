package tanks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

func opened(tb testing.TB, o scene.Options) (*scene.Play, world.State) {
	tb.Helper()
	p, err := Scene.Open(o)
	require.NoError(tb, err)
	tb.Cleanup(p.Schedule.Close)
	return p, p.First
}

// Everything is where its parent is, whatever was set free and disposed meanwhile.
func TestChildrenGoWhereTheirParentsGo(t *testing.T) {
	p, s := opened(t, scene.Options{Count: 40, Seed: 1, Variant: Four})
	for step := range 1500 {
		s = p.Step(s, 0)
		for id := range world.GameObjects(s) {
			local := world.Must(world.Get(s, id, pose.Local2))
			want := local
			want.Rotation = want.Rotation.Unit()
			if world.Has(s, id, family.ChildOf.Kind()) {
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
