package act2

import "reflect"

// World holds the game objects in ascending order of ID; IDs are given from 0.
type World struct {
	GameObjects []*GameObject
	instances   []*GameObject // of the current frame; the slice is reused
}

// Renderer draws game objects.
type Renderer interface {
	DrawOne(object *GameObject)
	DrawInstances(objects []*GameObject)
}

// NewWorld returns a world with room for the given number of game objects.
func NewWorld(gameObjects int) *World {
	return &World{GameObjects: make([]*GameObject, 0, gameObjects)}
}

// NewScene returns the story's scene: the first hero of each kind has moved, the first super hero
// has flown too, and the others stand at the origin.
func NewScene(normalHeroes, superHeroes int) *World {
	w := NewWorld(normalHeroes + superHeroes)
	w.instances = make([]*GameObject, 0, normalHeroes)
	for range normalHeroes {
		w.CreateNormalHero()
	}
	for range superHeroes {
		w.CreateSuperHero()
	}
	if normalHeroes > 0 {
		w.GameObjects[0].Position.Move()
	}
	if superHeroes > 0 {
		hero := w.GameObjects[normalHeroes]
		hero.Position.Move()
		hero.Fly.Fly()
	}
	return w
}

// CreateNormalHero adds a game object that moves and is drawn in the instanced batch.
func (w *World) CreateNormalHero() *GameObject {
	object := w.createMoving()
	object.Instance = &InstanceComponent{GameObject: object}
	return object
}

// CreateSuperHero adds a game object that moves, flies and is drawn by itself.
func (w *World) CreateSuperHero() *GameObject {
	object := w.createMoving()
	object.Fly = &FlyComponent{GameObject: object, MaxVelocity: 10}
	return object
}

func (w *World) createMoving() *GameObject {
	object := &GameObject{ID: len(w.GameObjects)}
	object.Position = &PositionComponent{GameObject: object}
	object.Velocity = &VelocityComponent{GameObject: object, Velocity: 1}
	w.GameObjects = append(w.GameObjects, object)
	return object
}

// MoveAll moves every game object that has a position and a velocity.
func (w *World) MoveAll() {
	for _, object := range w.GameObjects {
		if object.Position != nil && object.Velocity != nil {
			object.Position.Move()
		}
	}
}

// Update doubles every position.
func (w *World) Update() {
	for _, object := range w.GameObjects {
		if object.Position != nil {
			object.Position.Update()
		}
	}
}

// RenderOneByOne draws each game object without an instance component.
func (w *World) RenderOneByOne(r Renderer) {
	for _, object := range w.GameObjects {
		if object.Instance == nil {
			r.DrawOne(object)
		}
	}
}

// RenderInstances draws all game objects with an instance component at once.
func (w *World) RenderInstances(r Renderer) {
	w.instances = w.instances[:0]
	for _, object := range w.GameObjects {
		if object.Instance != nil {
			w.instances = append(w.instances, object)
		}
	}
	r.DrawInstances(w.instances)
}

// Live returns the number of game objects.
func (w *World) Live() int { return len(w.GameObjects) }

// Size returns the bytes of the game objects, of their components and of the pointers to them.
func (w *World) Size() int {
	object := int(reflect.TypeFor[*GameObject]().Size() + reflect.TypeFor[GameObject]().Size())
	position := int(reflect.TypeFor[PositionComponent]().Size())
	velocity := int(reflect.TypeFor[VelocityComponent]().Size())
	fly := int(reflect.TypeFor[FlyComponent]().Size())
	instance := int(reflect.TypeFor[InstanceComponent]().Size())
	size := len(w.GameObjects) * (object + position + velocity)
	for _, o := range w.GameObjects {
		if o.Fly != nil {
			size += fly
		}
		if o.Instance != nil {
			size += instance
		}
	}
	return size
}
