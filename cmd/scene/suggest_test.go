package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/scene"
)

func TestSuggest(t *testing.T) {
	names := []string{"cubes", "flappy", "heroes"}
	for wrong, meant := range map[string]string{
		"heros": "heroes", "hereos": "heroes", "hero": "heroes", "Cubes": "cubes", "cbues": "cubes",
		"flap": "flappy", "fl": "flappy", "cubess": "cubes",
		"": "", "chess": "", "x": "", "rain": "",
	} {
		want := "there are cubes, flappy, heroes"
		if meant != "" {
			want = `did you mean "` + meant + `"? ` + want
		}
		assert.Equal(t, want, scene.Suggest(wrong, names), wrong)
	}
}
