package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

type squad struct {
	Leader  GameObject
	Members [2]GameObject
	Strong  bool
	Rest    [7]uint8
}

var (
	squads   = layout.NewComponent[squad]("squad")
	headline = layout.NewField[GameObject]("headline")
	paper    = NewResource("paper", headline)
	victim   = layout.NewField[GameObject]("victim")
	murders  = NewEvents("murders", victim)
)

func TestDangling(t *testing.T) {
	counts := Counts{
		GameObjects: 100, Kinds: layout.Kinds(squads), Resources: []ResourceKind{paper},
		Events: []EventCount{murders.Count(4)},
	}
	s := sure(CreateState(counts))
	var ids [4]GameObject
	for i := range ids {
		s, ids[i] = made(Create(s))
	}
	s = sure(Add(s, ids[0], squads.Kind()))
	assert.Zero(t, Dangling(s), "nobody is not gone")

	s = sure(Set(s, ids[0], squads, squad{Leader: ids[1], Members: [2]GameObject{ids[2], ids[3]}}))
	s = SetResource(s, headline, ids[3])
	s, b := murders.Send(s)
	EventColumn(b, victim)[0] = ids[3]
	assert.Zero(t, Dangling(s))
	s = sure(Dispose(s, ids[1], ids[3]))
	before := Digest(s)
	assert.Equal(t, 3, Dangling(s), "a leader, a member and a headline; events tell of what was")
	assert.Equal(t, before, Digest(s), "it reads")

	s, id := made(Create(s))
	require.Contains(t, []uint32{ids[1].Index(), ids[3].Index()}, id.Index())
	assert.Equal(t, 3, Dangling(s), "a later object of the index is another")
	s = sure(Suspend(s, ids[0], squads.Kind()))
	assert.Equal(t, 3, Dangling(s), "its values are kept")
	s = sure(Dispose(s, ids[0]))
	assert.Equal(t, 1, Dangling(s), "rows that are free have none")
	s = SetResource(s, headline, GameObject(math.MaxInt64))
	assert.Equal(t, 1, Dangling(s), "of no index at all")
}
