//go:build ecsdebug

package order

// check panics if values of the field were written that were not counted, of a field of few rows:
// by a pointer that was kept from before the last question.
func (l *Lists) check() {
	if l.high > least {
		return
	}
	f := following{Lists: l, column: l.m.Columns[l.field.Index].Bytes}
	for row := range uint32(l.high) {
		if l.m.RowBits(row>>6)>>(row&63)&1 != 0 && f.now(row) != l.keys.at(l.copied, row) {
			panic("flatecs: " + l.field.String() + " was written through a pointer that is older " +
				"than the last use of its index; get a new pointer, or " +
				"write by Set")
		}
	}
}
