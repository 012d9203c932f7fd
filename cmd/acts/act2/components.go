package act2

// GameObject owns at most one component of each kind.
type GameObject struct {
	ID       int
	Position *PositionComponent
	Velocity *VelocityComponent
	Fly      *FlyComponent
	Instance *InstanceComponent
}

// PositionComponent is the position of its game object.
type PositionComponent struct {
	GameObject *GameObject
	Position   [3]float32 // world units; x, y, z
}

// VelocityComponent is the velocity of its game object.
type VelocityComponent struct {
	GameObject *GameObject
	Velocity   float32 // world units per move
}

// FlyComponent makes its game object fly.
type FlyComponent struct {
	GameObject  *GameObject
	MaxVelocity float32 // world units per flight
}

// InstanceComponent makes its game object part of the instanced batch.
type InstanceComponent struct {
	GameObject *GameObject
}

// Move adds the velocity of the game object to each axis.
func (c *PositionComponent) Move() { c.add(c.GameObject.Velocity.Velocity) }

// Update doubles the position.
func (c *PositionComponent) Update() {
	c.Position[0] *= 2
	c.Position[1] *= 2
	c.Position[2] *= 2
}

func (c *PositionComponent) add(step float32) {
	c.Position[0] += step
	c.Position[1] += step
	c.Position[2] += step
}

// Fly adds twice the velocity to each axis of the position, or the maximum once the velocity has
// reached it.
func (c *FlyComponent) Fly() {
	velocity, step := c.GameObject.Velocity.Velocity, c.MaxVelocity
	if velocity < c.MaxVelocity {
		step = velocity * 2
	}
	c.GameObject.Position.add(step)
}
