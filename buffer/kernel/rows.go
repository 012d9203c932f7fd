package kernel

// Gather copies listed rows, one after the other:
//
//	for i, r := range rows {
//		dst[i] = src[r]
//	}
//
// A row R is all lanes of one component: a float32, or a [3]float32 of systems.Column3. It is
// fastest with 4, 8, 12 or 16 bytes. Gather panics when len(dst) != len(rows), and at a row that
// src does not have. dst and src must not overlap.
func Gather[R any](dst, src []R, rows []uint32) {
	if len(dst) != len(rows) {
		panic(unlisted)
	}
	dst = dst[:len(rows)]
	for i, r := range rows {
		dst[i] = src[r]
	}
}

// Scatter is [Gather] the other way round:
//
//	for i, r := range rows {
//		dst[r] = src[i]
//	}
//
// Of a row that is listed twice, the last stays. Scatter panics when len(src) != len(rows), and at
// a row that dst does not have. dst and src must not overlap.
func Scatter[R any](dst, src []R, rows []uint32) {
	if len(src) != len(rows) {
		panic(unlisted)
	}
	src = src[:len(rows)]
	for i, r := range rows {
		dst[r] = src[i]
	}
}
