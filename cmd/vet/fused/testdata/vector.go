package vector

type Vector struct{ X, Y, Z float32 }

func Product(a, b float32) float32 { return a * b }

func (v Vector) Scaled(by float32) Vector { return Vector{v.X * by, v.Y * by, v.Z * by} }

func (v Vector) Dot(w Vector) float32 { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }
