package layout

// Texts of panics about arguments. They are constants so that the functions that check stay small
// enough to be inlined.
const (
	noField = "layout: the zero Field is no field; declare one by NewField"
	noKind  = "layout: the zero Kind is no kind; declare one by NewKind or NewMark"
	noValue = "layout: this FieldValue is of no field, or of a list; make one by a field's " +
		"Value, and give first elements of lists to world.Spawn, a Recipe or a Tree, or add them " +
		"later by world/list"
	listValue = "layout: a list is no value of a field: two would have the same elements; " +
		"add to it by world/list"
	noElements = "layout: these are no first elements of a list; make some by a list's Value"
	badText    = "layout: the first text of a recipe is not UTF-8; encode it"
	noSpec     = "layout: this FieldSpec is nil, or of no type; take the Spec of a Field"
)
