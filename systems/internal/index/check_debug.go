//go:build ecsdebug

package index

// check panics if values of a field with few rows were written without being counted: through a
// pointer from before the last query.
func (t *Table) check() {
	c := &t.column
	if c.high > least {
		return
	}
	for row := range uint32(c.high) {
		if t.M.Rows.Bits(row>>6)>>(row&63)&1 != 0 && c.key(row) != c.at(row) {
			panic("flatecs: " + c.keys.field.String() + " was written through a pointer that is " +
				"older than the last use of its index; get a new pointer, or write by Set")
		}
	}
}
