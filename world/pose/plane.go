package pose

// A Rotation2 is a turn in the plane: the cosine and the sine of its angle, counterclockwise if y
// points up.
type Rotation2 [2]float32

// A Pose2 is where something is in the plane, relative to its parent or to the world: it is scaled
// first, then turned, then moved.
type Pose2 struct {
	Position [2]float32 // x, y
	Rotation Rotation2
	Scale    [2]float32 // factor per axis, before the turn
}

// Identity2 is the pose that changes nothing.
var Identity2 = Pose2{Rotation: Rotation2{1, 0}, Scale: [2]float32{1, 1}}

// At2 returns the pose at a position, neither turned nor scaled.
func At2(x, y float32) Pose2 {
	p := Identity2
	p.Position = [2]float32{x, y}
	return p
}

// Turn2 returns the rotation by an angle in radians. It panics beyond ±2²⁰.
func Turn2(angle float64) Rotation2 {
	sin, cos := sincos(angle)
	return Rotation2{cos, sin}
}

// Facing2 returns the rotation that turns the x axis to a direction of any length, and none for a
// direction of length 0.
func Facing2(direction [2]float32) Rotation2 { return Rotation2(direction).Unit() }

// Unit returns r with a length of 1, which products lose slowly by rounding; of the zero Rotation2,
// no turn.
func (r Rotation2) Unit() Rotation2 {
	n := root(float32(r[0]*r[0]) + float32(r[1]*r[1]))
	if n == 0 {
		return Rotation2{1, 0}
	}
	return Rotation2{r[0] / n, r[1] / n}
}

// Times returns the rotation that turns by q, and then by r.
func (r Rotation2) Times(q Rotation2) Rotation2 { return r.Of([2]float32(q)) }

// Inverse returns the rotation that turns back.
func (r Rotation2) Inverse() Rotation2 { return Rotation2{r[0], -r[1]} }

// Of returns a vector turned by r.
func (r Rotation2) Of(v [2]float32) [2]float32 {
	return [2]float32{
		float32(r[0]*v[0]) - float32(r[1]*v[1]),
		float32(r[0]*v[1]) + float32(r[1]*v[0]),
	}
}

// Compose returns the global pose of a child: p is its parent's, local is its own, relative to p.
func (p Pose2) Compose(local Pose2) Pose2 {
	return Pose2{
		Position: p.Point(local.Position),
		Rotation: p.Rotation.Times(local.Rotation).Unit(),
		Scale:    [2]float32{p.Scale[0] * local.Scale[0], p.Scale[1] * local.Scale[1]},
	}
}

// Relative is the inverse of [Pose2.Compose]: it returns the local pose with which a child of p is
// at global. Along an axis where p's scale is 0 it is 0.
func (p Pose2) Relative(global Pose2) Pose2 {
	return Pose2{
		Position: p.Local(global.Position),
		Rotation: p.Rotation.Inverse().Times(global.Rotation).Unit(),
		Scale:    [2]float32{over(global.Scale[0], p.Scale[0]), over(global.Scale[1], p.Scale[1])},
	}
}

// Point returns where a point is that is given relative to p.
func (p Pose2) Point(local [2]float32) [2]float32 {
	v := p.Rotation.Of([2]float32{p.Scale[0] * local[0], p.Scale[1] * local[1]})
	return [2]float32{p.Position[0] + v[0], p.Position[1] + v[1]}
}

// Local is the inverse of [Pose2.Point]. Along an axis where p's scale is 0 it is 0.
func (p Pose2) Local(point [2]float32) [2]float32 {
	v := p.Rotation.Inverse().Of([2]float32{point[0] - p.Position[0], point[1] - p.Position[1]})
	return [2]float32{over(v[0], p.Scale[0]), over(v[1], p.Scale[1])}
}

// Matrix returns p as a matrix of 3 × 3, column by column, for points (x, y, 1).
func (p Pose2) Matrix() [9]float32 {
	c, s := p.Rotation[0], p.Rotation[1]
	return [9]float32{
		c * p.Scale[0], s * p.Scale[0], 0,
		-s * p.Scale[1], c * p.Scale[1], 0,
		p.Position[0], p.Position[1], 1,
	}
}
