package peers

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mlange-42/ark/ecs"
	"github.com/stretchr/testify/require"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// The code of Ark and Donburi in docs/COMING-FROM.md is in this file, line by line.
func TestComingFromShowsCodeThatCompiles(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMING-FROM.md")
	require.NoError(t, err)
	source, err := os.ReadFile("comingfrom_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```golang\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, blocks, 2)
	for _, block := range blocks {
		require.Contains(t, trimmed(source), trimmed(block[1]))
	}
}

func trimmed(code []byte) string {
	lines := strings.Split(strings.TrimSpace(string(code)), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func TestComingFromArk(t *testing.T) {
	type Vec2 struct{ X, Y float32 }
	type (
		Position Vec2
		Velocity Vec2
		Frozen   struct{}
	)
	w := ecs.NewWorld(16)
	mapper := ecs.NewMap2[Position, Velocity](w)
	drone := mapper.NewEntity(&Position{}, &Velocity{X: 1})
	filter := ecs.NewFilter2[Position, Velocity](w).
		Without(ecs.C[Frozen]())
	query := filter.Query()
	for query.Next() {
		p, v := query.Get()
		p.X += v.X
	}
	w.RemoveEntity(drone)
	require.False(t, w.Alive(drone))
}

func TestComingFromDonburi(t *testing.T) {
	type Vec2 struct{ X, Y float32 }
	Position, Velocity := donburi.NewComponentType[Vec2](), donburi.NewComponentType[Vec2]()
	Frozen := donburi.NewTag()
	w := donburi.NewWorld()
	drone := w.Create(Position, Velocity)
	Velocity.SetValue(w.Entry(drone), Vec2{X: 2})
	moving := donburi.NewQuery(
		filter.Contains(Position, Velocity))
	for entry := range moving.Iter(w) {
		p, v := Position.Get(entry), Velocity.Get(entry)
		p.X += v.X
	}
	w.Entry(drone).AddComponent(Frozen)
	require.InDelta(t, 2, Position.Get(w.Entry(drone)).X, 0)
	require.True(t, w.Entry(drone).HasComponent(Frozen))
}
