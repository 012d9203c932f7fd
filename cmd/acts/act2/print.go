package act2

import "github.com/flatecs/flatecs/cmd/acts/jsonout"

// WriteState prints the world as one line of JSON; a component's pointer to its game object is
// printed as that object's ID.
func (w *World) WriteState(out *jsonout.Writer) {
	out.Open()
	out.Name("gameObjects")
	out.Open()
	for _, object := range w.GameObjects {
		out.Index(object.ID)
		out.Open()
		object.writeComponents(out)
		out.Close()
	}
	out.Close()
	out.Close()
	out.EndLine()
}

func (o *GameObject) writeComponents(out *jsonout.Writer) {
	if open(out, "positionComponent", o.Position != nil) {
		owner(out, o.Position.GameObject)
		out.Name("position")
		out.Floats(o.Position.Position[:])
		out.Close()
	}
	if open(out, "velocityComponent", o.Velocity != nil) {
		owner(out, o.Velocity.GameObject)
		out.Name("velocity")
		out.Float32(o.Velocity.Velocity)
		out.Close()
	}
	if open(out, "flyComponent", o.Fly != nil) {
		owner(out, o.Fly.GameObject)
		out.Name("maxVelocity")
		out.Float32(o.Fly.MaxVelocity)
		out.Close()
	}
	if open(out, "instanceComponent", o.Instance != nil) {
		owner(out, o.Instance.GameObject)
		out.Close()
	}
}

// open begins a component, or prints null where there is none.
func open(out *jsonout.Writer, name string, present bool) bool {
	out.Name(name)
	if !present {
		out.Null()
		return false
	}
	out.Open()
	return true
}

func owner(out *jsonout.Writer, object *GameObject) {
	out.Name("gameObject")
	out.Int(object.ID)
}
