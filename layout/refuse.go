package layout

// Texts of panics about arguments. They are constants so that the functions that check stay small
// enough to be inlined.
const (
	noField   = "layout: the zero Field is no field; declare one by NewField"
	noKind    = "layout: the zero Kind is no kind; declare one by NewKind or NewMark"
	noValue   = "layout: this FieldValue is of no field; make one by a field's Value"
	listValue = "layout: a list is no value of a field: two would have the same elements; " +
		"add to it by world/list"
	noSpec = "layout: this FieldSpec is nil, or of no type; take the Spec of a Field"
)
