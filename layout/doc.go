// Package layout declares kinds of components: their fields, types and defaults. A declaration
// belongs to no world: declare it once, as a package-level variable.
//
//	type Vec3 struct{ X, Y, Z float32 }
//
//	var (
//		Velocity = layout.NewField[Vec3]("velocity") // world units per second
//		Team     = layout.NewField[uint8]("team", 1) // its default
//		Body     = layout.NewKind("body", Velocity, Team)
//		Force    = layout.NewComponent("force", Vec3{Y: -10}) // a kind of one field
//	)
//
// A component of kind body consists of three float32 and one uint8. In a world with room for count
// components, each field is a column, a []Vec3 and a []uint8. The columns of a kind follow each
// other in one []byte:
//
//	velocity            padding        team              padding
//	count × 3 × 4 bytes to 64 bytes    count × 1 × 1     to 64 bytes
//
// The type of a field consists of elements: numbers of a fixed width, bool, float16, and ids of
// game objects. It has no pointers, no padding and no blank fields, so that its bytes are its
// values on every machine. Files, deltas and tools refer to the parts of a type:
//
//	struct {                                Owner      id × 1        at 0
//		Owner  world.GameObject             Pos.X      float32 × 1   at 8
//		Pos    Vec3                         Pos.Y      float32 × 1   at 12
//		Colour [4]uint8                     Pos.Z      float32 × 1   at 16
//	}                                       Colour     uint8 × 4     at 20
//
// A [List] is a field of any number of elements, a [Text] a field of text in UTF-8. Package
// world/list reads and writes them.
//
// A mark is a kind without fields and rows; an object either has it or does not. A kind without
// fields has rows, so each of its components has a number. [Values] is a kind whose values are Go
// values of any type, outside the bytes. A [Relation] is a kind whose components refer to an
// object: children to their parent, or an item to its carrier.
//
// Declare: [NewField], [NewComponent], [NewKind], [NewMark], [NewValues], [NewList],
// [NewListField], [NewText], [NewTextField], [NewRelation] of a [Relation] with a [Policy]:
// [Clear], [Cascade] or [Refuse]. Hold: [Field], [Kind], [List], [Text], [Values], [Row]. Size:
// [Kinds], [Kind.Count], [List.Count], [Text.Count], [Values.Count], [Count], [Countable]. Initial
// values: [Field.Value], [List.Value], [Text.Value], [FieldValue]. Excluded from queries:
// [Disabled]. Interfaces: [AnyField], [AnyKind], [Typed], [Access]. Views: [Flat], [Field.Rows].
// Coordinates: [Field.Axis], [Field.Axes], [Axis], [Axis.Of], [Axis.Read].
//
// For tools: [Field.Spec], [FieldSpec], [Part], [Kind.Spec], [KindSpec], [RelationSpec],
// [ListSpec], [Run], [ValueColumn], [ValueSlice]. Kinds read from files: [FieldSpec.Foreign],
// [KindSpec.Foreign], [FieldSpec.LinkList], [MaxStride], [FieldSpec.Same], [FieldSpec.Check]. For
// messages: [Quoted], [FieldSpec.Title], [Part.Within].
package layout
