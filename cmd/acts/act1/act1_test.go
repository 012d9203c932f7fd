package act1_test

import (
	"bufio"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

func ExampleWorld_Shown() {
	scene := act1.NewScene(2, 1)
	scene.Update()
	out := bufio.NewWriter(os.Stdout)
	jsonout.Write(out, scene.Shown())
	_ = out.Flush()
	// Output:
	// {"normalHeroes":{"0":{"position":[2,2,2],"velocity":1},"1":{"position":[0,0,0],"velocity":1}},"superHeroes":{"2":{"position":[6,6,6],"velocity":1,"maxFlyVelocity":10}}}
}

func TestFlyDoublesTheVelocityBelowTheMaximum(t *testing.T) {
	for _, test := range []struct{ velocity, want float32 }{
		{1, 2}, {8, 16}, {9.5, 19}, {10, 10}, {11, 10}, {-3, -6},
	} {
		hero := act1.NewWorld(0, 1).CreateSuperHero()
		hero.Velocity = test.velocity
		hero.Fly()
		assert.Equal(t, [3]float32{test.want, test.want, test.want}, hero.Position)
		assert.Equal(t, test.velocity, hero.Velocity)
	}
}

func TestMoveAllMovesBothKinds(t *testing.T) {
	w := act1.NewWorld(1, 1)
	normal, super := w.CreateNormalHero(), w.CreateSuperHero()
	super.Velocity = 3
	w.MoveAll()
	assert.Equal(t, [3]float32{1, 1, 1}, normal.Position)
	assert.Equal(t, [3]float32{3, 3, 3}, super.Position)
}
