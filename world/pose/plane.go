package pose

import "github.com/flatecs/flatecs/buffer/exact"

// A Rotation2 is a turn in the plane: the cosine and the sine of its angle, counterclockwise if y
// points up. Its length is 1.
type Rotation2 struct{ Cos, Sin float32 }

// A Pose2 is a position and rotation in the plane, relative to a parent or to the world: the object
// is first rotated, then moved.
type Pose2 struct {
	X, Y     float32
	Rotation Rotation2
}

// Identity2 is the identity pose.
var Identity2 = Pose2{Rotation: Rotation2{1, 0}}

// At2 returns the pose at a position, without rotation.
func At2(x, y float32) Pose2 { return Pose2{x, y, Rotation2{1, 0}} }

// Position returns x and y.
func (p Pose2) Position() [2]float32 { return [2]float32{p.X, p.Y} }

// Turn2 returns the rotation by an angle in radians. It panics if the angle is NaN or infinite.
func Turn2(angle float32) Rotation2 {
	checkAngle(angle)
	sin, cos := exact.Sincos(angle)
	return Rotation2{cos, sin}
}

// Facing2 returns the rotation that turns the x axis to a direction of any length, or the identity
// for a direction of length 0.
func Facing2(direction [2]float32) Rotation2 { return Rotation2{direction[0], direction[1]}.Unit() }

// Angle returns the angle of r in radians, from -π to π.
func (r Rotation2) Angle() float32 { return exact.Atan2(r.Sin, r.Cos) }

// Unit returns r with length 1, or the identity for the zero Rotation2.
func (r Rotation2) Unit() Rotation2 {
	n := exact.Sqrt(float32(r.Cos*r.Cos) + float32(r.Sin*r.Sin))
	if n == 0 {
		return Rotation2{1, 0}
	}
	return Rotation2{r.Cos / n, r.Sin / n}
}

// Times returns the rotation that turns by q, and then by r. Its length is 1 within the precision
// of float32, after any number of steps: it corrects the rounding error.
func (r Rotation2) Times(q Rotation2) Rotation2 {
	c := float32(r.Cos*q.Cos) - float32(r.Sin*q.Sin)
	s := float32(r.Cos*q.Sin) + float32(r.Sin*q.Cos)
	n := 1.5 - float32(.5*(float32(c*c)+float32(s*s))) // 1/√, by a Newton step from 1
	return Rotation2{c * n, s * n}
}

// Inverse returns the inverse rotation.
func (r Rotation2) Inverse() Rotation2 { return Rotation2{r.Cos, -r.Sin} }

// Of returns a vector rotated by r.
func (r Rotation2) Of(v [2]float32) [2]float32 {
	return [2]float32{
		float32(r.Cos*v[0]) - float32(r.Sin*v[1]),
		float32(r.Cos*v[1]) + float32(r.Sin*v[0]),
	}
}

// Compose returns the global pose of a child: p is its parent's, local is its own, relative to p.
func (p Pose2) Compose(local Pose2) Pose2 {
	c, s, r := p.Rotation.Cos, p.Rotation.Sin, local.Rotation
	return Pose2{
		p.X + (float32(c*local.X) - float32(s*local.Y)),
		p.Y + (float32(c*local.Y) + float32(s*local.X)),
		Rotation2{float32(c*r.Cos) - float32(s*r.Sin), float32(c*r.Sin) + float32(s*r.Cos)},
	}
}

// Relative is the inverse of [Pose2.Compose]: it returns the local pose of a child of p whose
// global pose is global.
func (p Pose2) Relative(global Pose2) Pose2 {
	at := p.Local(global.Position())
	return Pose2{at[0], at[1], p.Rotation.Inverse().Times(global.Rotation)}
}

// Point returns the global position of a point that is given relative to p.
func (p Pose2) Point(local [2]float32) [2]float32 {
	v := p.Rotation.Of(local)
	return [2]float32{p.X + v[0], p.Y + v[1]}
}

// Local is the inverse of [Pose2.Point].
func (p Pose2) Local(point [2]float32) [2]float32 {
	v := [2]float32{point[0] - p.X, point[1] - p.Y}
	return p.Rotation.Inverse().Of(v)
}

// Matrix returns p as a matrix of 3 × 3, column by column, for points (x, y, 1).
func (p Pose2) Matrix() [9]float32 {
	c, s := p.Rotation.Cos, p.Rotation.Sin
	return [9]float32{c, s, 0, -s, c, 0, p.X, p.Y, 1}
}
