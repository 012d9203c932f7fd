package act2_test

import (
	"bufio"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

func ExampleWorld_Shown() {
	scene := act2.NewScene(1, 1)
	scene.Update()
	out := bufio.NewWriter(os.Stdout)
	jsonout.Write(out, scene.Shown())
	_ = out.Flush()
	// Output:
	// {"gameObjects":{"0":{"positionComponent":{"gameObject":0,"position":[2,2,2]},"velocityComponent":{"gameObject":0,"velocity":1},"flyComponent":null,"instanceComponent":{"gameObject":0}},"1":{"positionComponent":{"gameObject":1,"position":[6,6,6]},"velocityComponent":{"gameObject":1,"velocity":1},"flyComponent":{"gameObject":1,"maxVelocity":10},"instanceComponent":null}}}
}

func TestFlyDoublesTheVelocityBelowTheMaximum(t *testing.T) {
	for _, test := range []struct{ velocity, want float32 }{
		{1, 2}, {8, 16}, {9.5, 19}, {10, 10}, {11, 10}, {-3, -6},
	} {
		hero := act2.NewWorld(1).CreateSuperHero()
		hero.Velocity.Velocity = test.velocity
		hero.Fly.Fly()
		assert.Equal(t, [3]float32{test.want, test.want, test.want}, hero.Position.Position)
		assert.Equal(t, test.velocity, hero.Velocity.Velocity)
	}
}

func TestMoveAllMovesAllGameObjects(t *testing.T) {
	w := act2.NewWorld(2)
	normal, super := w.CreateNormalHero(), w.CreateSuperHero()
	super.Velocity.Velocity = 3
	w.MoveAll()
	assert.Equal(t, [3]float32{1, 1, 1}, normal.Position.Position)
	assert.Equal(t, [3]float32{3, 3, 3}, super.Position.Position)
}
