package pose

// A Pose3 is where something is in space, relative to its parent or to the world: it is turned,
// then moved.
type Pose3 struct {
	Position [3]float32 // x, y, z
	Rotation Rotation3
}

// Identity3 is the pose that changes nothing.
var Identity3 = Pose3{Rotation: Rotation3{0, 0, 0, 1}}

// At3 returns the pose at a position, not turned.
func At3(x, y, z float32) Pose3 { return Pose3{[3]float32{x, y, z}, Rotation3{0, 0, 0, 1}} }

// Compose returns the global pose of a child: p is its parent's, local is its own, relative to p.
func (p Pose3) Compose(local Pose3) (global Pose3) {
	compose3(&global, &p, &local)
	return global
}

// compose3 is Compose in single numbers, which stay in registers as arrays do not.
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

// Relative is the inverse of [Pose3.Compose]: it returns the local pose with which a child of p is
// at global.
func (p Pose3) Relative(global Pose3) Pose3 {
	return Pose3{p.Local(global.Position), p.Rotation.Inverse().Times(global.Rotation)}
}

// Point returns where a point is that is given relative to p.
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

// Matrix returns p as a matrix of 4 × 4, column by column, for points (x, y, z, 1): as OpenGL,
// WebGPU and glTF have them.
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
