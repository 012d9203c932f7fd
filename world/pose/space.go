package pose

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/exact"
)

// A Pose3 is a position and rotation in space, relative to a parent or to the world: the object is
// first rotated, then moved.
type Pose3 struct {
	Position [3]float32 // x, y, z
	Rotation Rotation3
}

// Identity3 is the identity pose.
var Identity3 = Pose3{Rotation: Rotation3{0, 0, 0, 1}}

// At3 returns the pose at a position, without rotation.
func At3(x, y, z float32) Pose3 { return Pose3{[3]float32{x, y, z}, Rotation3{0, 0, 0, 1}} }

// Compose returns the global pose of a child: p is its parent's, local is its own, relative to p.
func (p Pose3) Compose(local Pose3) (global Pose3) {
	compose3(&global, &p, &local)
	return global
}

// compose3 is Compose in scalars, which stay in registers, unlike arrays.
func compose3(dst, p, l *Pose3) {
	x, y, z, w := p.Rotation[0], p.Rotation[1], p.Rotation[2], p.Rotation[3]
	vx, vy, vz := l.Position[0], l.Position[1], l.Position[2]
	tx := 2 * (float32(y*vz) - float32(z*vy))
	ty := 2 * (float32(z*vx) - float32(x*vz))
	tz := 2 * (float32(x*vy) - float32(y*vx))
	ux := float32(y*tz) - float32(z*ty)
	uy := float32(z*tx) - float32(x*tz)
	uz := float32(x*ty) - float32(y*tx)
	dst.Position[0] = p.Position[0] + (vx + float32(w*tx) + ux)
	dst.Position[1] = p.Position[1] + (vy + float32(w*ty) + uy)
	dst.Position[2] = p.Position[2] + (vz + float32(w*tz) + uz)

	a, b, c, d := l.Rotation[0], l.Rotation[1], l.Rotation[2], l.Rotation[3]
	dst.Rotation[0] = float32(w*a) + float32(x*d) + float32(y*c) - float32(z*b)
	dst.Rotation[1] = float32(w*b) - float32(x*c) + float32(y*d) + float32(z*a)
	dst.Rotation[2] = float32(w*c) + float32(x*b) - float32(y*a) + float32(z*d)
	dst.Rotation[3] = float32(w*d) - float32(x*a) - float32(y*b) - float32(z*c)
}

// Relative is the inverse of [Pose3.Compose]: it returns the local pose of a child of p whose
// global pose is global.
func (p Pose3) Relative(global Pose3) Pose3 {
	return Pose3{p.Local(global.Position), p.Rotation.Inverse().Times(global.Rotation)}
}

// Point returns the global position of a point that is given relative to p.
func (p Pose3) Point(local [3]float32) [3]float32 {
	v := p.Rotation.Of(local)
	return [3]float32{p.Position[0] + v[0], p.Position[1] + v[1], p.Position[2] + v[2]}
}

// Local is the inverse of [Pose3.Point].
func (p Pose3) Local(point [3]float32) [3]float32 {
	return p.Rotation.Inverse().Of([3]float32{
		point[0] - p.Position[0], point[1] - p.Position[1], point[2] - p.Position[2],
	})
}

// Matrix returns p as a 4 × 4 matrix, column by column, for points (x, y, z, 1), as in OpenGL,
// WebGPU and glTF.
func (p Pose3) Matrix() [16]float32 {
	x := p.Rotation.Of([3]float32{1, 0, 0})
	y := p.Rotation.Of([3]float32{0, 1, 0})
	z := p.Rotation.Of([3]float32{0, 0, 1})
	return [16]float32{
		x[0], x[1], x[2], 0,
		y[0], y[1], y[2], 0,
		z[0], z[1], z[2], 0,
		p.Position[0], p.Position[1], p.Position[2], 1,
	}
}

// A Rotation3 is a turn in space: a quaternion of length 1, as x, y, z and w.
type Rotation3 [4]float32

// Turn3 returns the rotation around an axis of any length by an angle in radians: counterclockwise
// if the axis points to the viewer. For an axis of length 0 it is the identity. It panics if the
// angle is NaN or infinite.
func Turn3(axis [3]float32, angle float32) Rotation3 {
	checkAngle(angle)
	n := length(axis)
	if n == 0 {
		return Rotation3{0, 0, 0, 1}
	}
	sin, cos := exact.Sincos(angle / 2)
	sin /= n
	return Rotation3{axis[0] * sin, axis[1] * sin, axis[2] * sin, cos}.Unit()
}

// Facing3 returns the rotation that turns the negative z axis, which is ahead, to a direction, and
// the y axis as near to up as possible. Both may have any length. For a direction of length 0 it is
// the identity; if up has length 0, or is parallel to the direction, another up is chosen.
func Facing3(direction, up [3]float32) Rotation3 {
	n := length(direction)
	if n == 0 {
		return Rotation3{0, 0, 0, 1}
	}
	z := [3]float32{-direction[0] / n, -direction[1] / n, -direction[2] / n}
	x := cross(up, z)
	for _, other := range [][3]float32{{0, 1, 0}, {0, 0, -1}} {
		if length(x) <= 1e-6*length(up) {
			up = other
			x = cross(up, z)
		}
	}
	n = length(x)
	x = [3]float32{x[0] / n, x[1] / n, x[2] / n}
	return fromAxes(x, cross(z, x), z)
}

// fromAxes returns the rotation that turns the axes to x, y and z, which have length 1 and are at
// right angles: Shepperd's method, which takes the root of the largest of four sums.
func fromAxes(x, y, z [3]float32) Rotation3 {
	switch {
	case x[0]+y[1]+z[2] > 0:
		return Rotation3{y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + x[0] + y[1] + z[2]}.Unit()
	case x[0] >= y[1] && x[0] >= z[2]:
		return Rotation3{1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]}.Unit()
	case y[1] >= z[2]:
		return Rotation3{x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]}.Unit()
	}
	return Rotation3{z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]}.Unit()
}

// checkAngle panics unless an angle is finite.
func checkAngle(angle float32) {
	if angle-angle != 0 {
		panic(fmt.Sprintf("pose: an angle of %v radians; give a finite one", angle))
	}
}

// Unit returns r with length 1, or the identity for the zero Rotation3.
func (r Rotation3) Unit() Rotation3 {
	x, y, z, w := r[0], r[1], r[2], r[3]
	n := exact.Sqrt(float32(x*x) + float32(y*y) + float32(z*z) + float32(w*w))
	if n == 0 {
		return Rotation3{0, 0, 0, 1}
	}
	n = 1 / n
	return Rotation3{r[0] * n, r[1] * n, r[2] * n, r[3] * n}
}

// Times returns the rotation that turns by q, and then by r. It corrects the length like
// [Rotation2.Times].
func (r Rotation3) Times(q Rotation3) Rotation3 {
	t := Rotation3{
		float32(r[3]*q[0]) + float32(r[0]*q[3]) + float32(r[1]*q[2]) - float32(r[2]*q[1]),
		float32(r[3]*q[1]) - float32(r[0]*q[2]) + float32(r[1]*q[3]) + float32(r[2]*q[0]),
		float32(r[3]*q[2]) + float32(r[0]*q[1]) - float32(r[1]*q[0]) + float32(r[2]*q[3]),
		float32(r[3]*q[3]) - float32(r[0]*q[0]) - float32(r[1]*q[1]) - float32(r[2]*q[2]),
	}
	n := float32(t[0]*t[0]) + float32(t[1]*t[1]) + float32(t[2]*t[2]) + float32(t[3]*t[3])
	n = 1.5 - float32(.5*n)
	return Rotation3{t[0] * n, t[1] * n, t[2] * n, t[3] * n}
}

// Inverse returns the inverse rotation.
func (r Rotation3) Inverse() Rotation3 { return Rotation3{-r[0], -r[1], -r[2], r[3]} }

// Of returns a vector rotated by r.
func (r Rotation3) Of(v [3]float32) [3]float32 {
	axis := [3]float32{r[0], r[1], r[2]}
	t := cross(axis, v)
	t = [3]float32{2 * t[0], 2 * t[1], 2 * t[2]}
	u := cross(axis, t)
	return [3]float32{
		v[0] + float32(r[3]*t[0]) + u[0],
		v[1] + float32(r[3]*t[1]) + u[1],
		v[2] + float32(r[3]*t[2]) + u[2],
	}
}

func cross(a, b [3]float32) [3]float32 {
	return [3]float32{
		float32(a[1]*b[2]) - float32(a[2]*b[1]),
		float32(a[2]*b[0]) - float32(a[0]*b[2]),
		float32(a[0]*b[1]) - float32(a[1]*b[0]),
	}
}

func length(v [3]float32) float32 {
	return exact.Sqrt(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))
}
