// Package layout declares what one component holds: its fields, their element types, lanes and
// defaults. A declaration holds nothing of any world; it is made once, as a package-level variable.
//
//	var (
//		Velocity3 = layout.NewField[float32]("velocity", 3, 0) // world units per second; x, y, z
//		Team      = layout.NewField[uint8]("team", 1, 0)
//		Body      = layout.NewKind("body", Velocity3, Team)
//	)
//
// One component of this kind is three float32 and one uint8. In a world with room for count of them
// each field is a column of its own, and the columns of a kind follow each other in one []byte:
//
//	velocity            padding        team              padding
//	count × 3 × 4 bytes to 64 bytes    count × 1 × 1     to 64 bytes
//
// A field has lanes elements per component; a default fills each lane, or one is given per lane.
// A mark is a kind without fields and rows: it is there or not. A kind without fields has rows, and
// so gives each of its components a number. [Values] is a kind whose values are Go values of any
// type, outside the bytes.
//
// Declare: [NewField], [NewKind], [NewMark], [NewValues]. Size: [Kind.Count].
// Look up: [Field.Spec], [Kind.Spec].
package layout
