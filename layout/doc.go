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
// A [Mask] is a set of kinds by their numbers in a world.
//
// Declare: [NewField], [NewKind], [NewMark], [NewValues], of [Element] types, up to [MaxStride].
// Hold: [Field], [Kind], [Row]. Size: [Kind.Count], [Values.Count], [Count]. First values:
// [Field.Value], [FieldValue]. Sets: [NewMask], [Mask.Set], [Mask.Unset], [Mask.Has],
// [Mask.Intersects], [Mask.SubsetOf]. Look up: [Field.Spec], [FieldSpec], [Kind.Spec],
// [KindSpec]. Any of them: [AnyField], [Access]. For the layers above: [ValueSpec],
// [ValueColumn], [Column]. Known from elsewhere, such as a file: [ForeignField],
// [NewForeign], [NewForeignMark], [Bytes], [Elements], [SizeOf]. In messages: [Quoted].
package layout
