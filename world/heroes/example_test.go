package heroes_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// logRenderer prints what the chapter's client logs.
type logRenderer struct{}

func (logRenderer) Init()                        { fmt.Println("初始化...") }
func (logRenderer) DrawOne(uint32, []byte)       { fmt.Println("OneByOne渲染 SuperHero...") }
func (logRenderer) DrawInstances(string, []byte) { fmt.Println("批量Instance渲染 NormalHeroes...") }

// createHero creates a game object with a position and a velocity, mounted on it.
func createHero(state world.State) (_ world.State, hero world.GameObject, p, v layout.Row) {
	state, hero = world.Must2(heroes.CreateGameObject(state))
	state, p = world.Must2(heroes.CreatePosition(state))
	state, v = world.Must2(heroes.CreateVelocity(state))
	state = world.Must(heroes.SetComponent(state, hero, heroes.Position.Kind(), p))
	state = world.Must(heroes.SetComponent(state, hero, heroes.Velocity.Kind(), v))
	return state, hero, p, v
}

func createNormalHero(state world.State) (_ world.State, p, v layout.Row) {
	state, hero, p, v := createHero(state)
	state, instance := world.Must2(heroes.CreateInstance(state))
	return world.Must(heroes.SetComponent(state, hero, heroes.Instance, instance)), p, v
}

func createSuperHero(state world.State) (_ world.State, p, v, fly layout.Row) {
	state, hero, p, v := createHero(state)
	state, fly = world.Must2(heroes.CreateFly(state))
	return world.Must(heroes.SetComponent(state, hero, heroes.MaxVelocity.Kind(), fly)), p, v, fly
}

// createScene creates two normal heroes and two super heroes. The first of each kind moves, and the
// first super hero flies.
func createScene(state world.State) world.State {
	state, position, velocity := createNormalHero(state)
	state = heroes.Move(state, position, velocity)
	state, _, _ = createNormalHero(state)

	state, position, velocity, fly := createSuperHero(state)
	state = heroes.Move(state, position, velocity)
	state = heroes.Fly(state, position, velocity, fly)
	state, _, _, _ = createSuperHero(state)
	return state
}

// frame takes the world through one frame.
func frame(state world.State) world.State {
	for row := range world.All(state, heroes.Position) {
		fmt.Println("更新PositionComponent:", row)
	}
	state = heroes.Update(state)
	state = heroes.RenderOneByOne(state, logRenderer{})
	return heroes.RenderInstances(state, logRenderer{})
}

// The chapter's client: it creates the scene, initializes, and loops.
func Example() {
	state := world.Must(heroes.CreateState(10, 10, 10))
	state = createScene(state)
	state = heroes.Init(state, logRenderer{})
	state = heroes.Loop(state, 1, frame)
	for row := range world.All(state, heroes.Position) {
		fmt.Println(heroes.GetPosition(state, row))
	}
	world.Close(state)
	// Output:
	// 初始化...
	// 更新PositionComponent: 0
	// 更新PositionComponent: 1
	// 更新PositionComponent: 2
	// 更新PositionComponent: 3
	// OneByOne渲染 SuperHero...
	// OneByOne渲染 SuperHero...
	// 批量Instance渲染 NormalHeroes...
	// [2 2 2]
	// [0 0 0]
	// [6 6 6]
	// [0 0 0]
}
