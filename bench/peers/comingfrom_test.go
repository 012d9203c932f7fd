package peers

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mlange-42/ark/ecs"
	"github.com/stretchr/testify/require"
)

// The code of Ark in docs/COMING-FROM.md is in this file, line by line.
func TestComingFromShowsCodeThatCompiles(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMING-FROM.md")
	require.NoError(t, err)
	source, err := os.ReadFile("comingfrom_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```golang\n(.*?)```").FindAllSubmatch(page, -1)
	require.NotEmpty(t, blocks)
	require.Contains(t, trimmed(source), trimmed(blocks[0][1]))
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
