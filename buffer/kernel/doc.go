// Package kernel holds the loops over flat slices that systems spend their time in. What a kernel
// writes is dst, and comes first; the doc comment of each is the loop that it runs. Kernels know
// nothing of worlds: a caller brings slices of equal numbers of components.
//
// A position is three elements, x, y, z, of one component; a velocity is one.
//
// Systems of the heroes: [Move], [Fly]. General: [Scale].
package kernel
