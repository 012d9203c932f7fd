package layout

// Texts of panics about arguments. They are constants so that the functions that check stay small
// enough to be inlined.
const (
	noField = "layout: the zero Field; declare a field by NewField"
	noKind  = "layout: the zero Kind; declare a kind by NewKind or NewMark"
	noValue = "layout: this FieldValue has no field, or belongs to a list; make one by a field's " +
		"Value, and pass first elements of lists to world.Spawn, a Recipe or a Tree, or add them " +
		"later by world/list"
	listValue = "layout: a list is not a value of a field: copies would share its elements; " +
		"append by world/list"
	noElements = "layout: this FieldValue has no elements of a list; make one by a list's Value"
	badText    = "layout: the first text of a recipe is not UTF-8; encode it"
	noSpec     = "layout: this FieldSpec is nil, or has no type; take the Spec of a Field"
)
