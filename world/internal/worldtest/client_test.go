package worldtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/space"
)

var (
	clientAt     = layout.NewComponent[[2]float32]("client at")
	clientTeam   = layout.NewComponent[int32]("client team")
	clientName   = layout.NewText("client name")
	clientParent = layout.NewRelation("client parent", layout.Relation{Tree: true})
	clientUnit   = world.NewRecipe("client unit", clientAt, clientTeam, clientName, clientParent)
	clientSees   = world.NewWatcher(world.NewQuery(world.With(clientTeam)))
	clientReads  = world.NewQuery(world.Read(clientTeam))
	clientNews   = clientReads.And(world.Changed(clientTeam))
	clientTeams  = index.New(clientTeam)
	clientNames  = index.OfText(clientName)
)

// TestLoopsOfClientsDoNotAllocate: a loop over each iterator, in a package that imports what a
// client imports. The compiler inlines more where package systems is imported, too.
func TestLoopsOfClientsDoNotAllocate(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Recipes: []world.Recipe{clientUnit}, Names: 1,
		Watchers: []world.Watcher{clientSees},
	}))
	defer func() { world.Close(s) }()
	s, top := world.Must2(world.Spawn(s, clientUnit))
	s = world.Must(world.SetName(s, top, "top"))
	for range 20 {
		s, _ = world.Must2(world.Spawn(s, clientUnit, clientParent.Value(top)))
	}
	cells := world.Must(space.NewCells(s, clientAt, space.Options{Size: 1}))
	s = cells.Build(s, nil)
	view, seen := cells.In(s), 0
	loop := func() { seen += loopsOfWorld(s, top) + loopsBeside(s, top, view) }
	loop()
	assert.Zero(t, testing.AllocsPerRun(20, loop))
	assert.Positive(t, seen)
}

func loopsOfWorld(s world.State, top world.GameObject) (seen int) {
	for b := range clientReads.In(s) {
		seen += b.Len()
	}
	for b := range clientNews.Since(s, 0) {
		seen += b.Len()
	}
	for b := range clientReads.Of(s, top) {
		seen += b.Len()
	}
	for id := range clientReads.Objects(s) {
		seen += int(id.Index())
	}
	for id := range world.GameObjects(s) {
		seen += int(id.Index())
	}
	for row := range world.All(s, clientTeam) {
		seen += int(row)
	}
	for id := range world.Named(s, "top") {
		seen += int(id.Index())
	}
	for b := range clientReads.Down(s, clientParent) {
		seen += b.Len()
	}
	for b := range clientReads.Up(s, clientParent) {
		seen += b.Len()
	}
	for b := range clientReads.AtDepth(s, clientParent, 1) {
		seen += b.Len()
	}
	for b := range clientReads.ChildrenOf(s, clientParent, top) {
		seen += b.Len()
	}
	return seen
}

func loopsBeside(s world.State, top world.GameObject, view space.View[[2]float32]) (seen int) {
	for id := range family.Children(s, clientParent, top) {
		seen += int(id.Index())
	}
	for id := range clientSees.Entered(s) {
		seen += int(id.Index())
	}
	for id := range clientSees.Left(s) {
		seen += int(id.Index())
	}
	for id := range clientSees.Members(s) {
		seen += int(id.Index())
	}
	for id := range clientTeams.Find(s, 0) {
		seen += int(id.Index())
	}
	for id := range clientTeams.Between(s, -1, 1) {
		seen += int(id.Index())
	}
	for b := range clientTeams.Sorted(s, clientReads) {
		seen += b.Len()
	}
	for b := range clientNames.Sorted(s, clientReads) {
		seen += b.Len()
	}
	for e := range view.Near([2]float32{}, 2) {
		seen += int(view.ID(e).Index())
	}
	for _, hit := range view.NearEach(view.Points(), 2) {
		seen += hit.Entry
	}
	for e := range view.Rect([2]float32{}, [2]float32{1, 1}) {
		seen += e
	}
	for a, b := range view.Pairs(2) {
		seen += a + b
	}
	return seen
}
