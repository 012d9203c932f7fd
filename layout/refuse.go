package layout

// What panics say of what was handed in, with the cure. As constants they keep functions that check
// small enough to be inlined.
const (
	noField = "layout: the zero Field is no field; declare one by NewField"
	noKind  = "layout: the zero Kind is no kind; declare one by NewKind or NewMark"
	noValue = "layout: this FieldValue is of no field; make one by a field's Value"
	noSpec  = "layout: this FieldSpec is nil, or of no type; take the Spec of a Field"
)
