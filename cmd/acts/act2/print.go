package act2

import "github.com/flatecs/flatecs/cmd/acts/jsonout"

// Shown returns the printable state of the world. A component's pointer to its game object is
// printed as the object's ID.
func (w *World) Shown() jsonout.Object {
	return jsonout.Of("gameObjects", jsonout.Each(w.GameObjects,
		func(_ int, o *GameObject) (id, components any) { return o.ID, o.state() }))
}

func (o *GameObject) state() jsonout.Object {
	var position, velocity, fly, instance any // nil: none
	if c := o.Position; c != nil {
		position = jsonout.Of("gameObject", c.GameObject.ID, "position", c.Position[:])
	}
	if c := o.Velocity; c != nil {
		velocity = jsonout.Of("gameObject", c.GameObject.ID, "velocity", c.Velocity)
	}
	if c := o.Fly; c != nil {
		fly = jsonout.Of("gameObject", c.GameObject.ID, "maxVelocity", c.MaxVelocity)
	}
	if c := o.Instance; c != nil {
		instance = jsonout.Of("gameObject", c.GameObject.ID)
	}
	return jsonout.Of("positionComponent", position, "velocityComponent", velocity,
		"flyComponent", fly, "instanceComponent", instance)
}
