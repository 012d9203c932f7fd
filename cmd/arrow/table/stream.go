package table

import (
	"fmt"
	"io"
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/flatecs/flatecs/world/lab"
)

// batch is the number of rows per record batch.
const batch = 1024

// A Stream is a [lab.Sink] that writes an Arrow IPC stream. It buffers up to 1,024 rows.
type Stream struct {
	w       io.Writer
	names   []string
	types   []reflect.Kind
	ipc     *ipc.Writer
	builder *array.RecordBuilder // nil: no row yet
	rows    int                  // in the builder
}

// New returns a sink that writes to w. It panics if w is nil.
func New(w io.Writer) *Stream {
	if w == nil {
		panic("arrow: a table cannot be written to a nil Writer; give a file or a buffer")
	}
	return &Stream{w: w}
}

// Begin is Begin of [lab.Sink].
func (t *Stream) Begin(columns []string) error {
	*t = Stream{w: t.w, names: append([]string(nil), columns...)}
	return nil
}

// Row is Row of [lab.Sink]. The error names a column if a value does not have the column's type.
func (t *Stream) Row(values []lab.Value) error {
	if len(values) != len(t.names) {
		return fmt.Errorf("arrow: a row of %d values in a table of %d columns; call Begin with "+
			"the columns first", len(values), len(t.names))
	}
	if t.builder == nil {
		t.begin(values)
	}
	for i, v := range values {
		if k := v.Kind(); k != reflect.Invalid && k != t.types[i] {
			return fmt.Errorf("arrow: %s in column %s of %s; give each column values of one type",
				k, t.names[i], t.types[i])
		}
	}
	for i, v := range values {
		add(t.builder.Field(i), v)
	}
	if t.rows++; t.rows < batch {
		return nil
	}
	return t.flush()
}

// begin creates the columns, with the types of the first row.
func (t *Stream) begin(values []lab.Value) {
	fields := make([]arrow.Field, len(t.names))
	t.types = make([]reflect.Kind, len(t.names))
	for i, name := range t.names {
		kind := reflect.Float64
		if i < len(values) && !values[i].Missing() {
			kind = values[i].Kind()
		} else if name == "error" {
			kind = reflect.String
		}
		t.types[i] = kind
		fields[i] = arrow.Field{Name: name, Type: typeOf[kind], Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	t.builder = array.NewRecordBuilder(memory.DefaultAllocator, schema)
	t.builder.Reserve(batch)
	t.ipc = ipc.NewWriter(t.w, ipc.WithSchema(schema))
}

var typeOf = map[reflect.Kind]arrow.DataType{
	reflect.Int64: arrow.PrimitiveTypes.Int64, reflect.Uint64: arrow.PrimitiveTypes.Uint64,
	reflect.Float64: arrow.PrimitiveTypes.Float64, reflect.Bool: arrow.FixedWidthTypes.Boolean,
	reflect.String: arrow.BinaryTypes.String,
}

// add appends a value to a column of its type.
func add(dst array.Builder, v lab.Value) {
	if v.Missing() {
		dst.AppendNull()
		return
	}
	switch b := dst.(type) {
	case *array.Int64Builder:
		x, _ := v.Int64()
		b.Append(x)
	case *array.Uint64Builder:
		x, _ := v.Uint64()
		b.Append(x)
	case *array.Float64Builder:
		x, _ := v.Float64()
		b.Append(x)
	case *array.BooleanBuilder:
		x, _ := v.Float64()
		b.Append(x == 1)
	case *array.StringBuilder:
		b.Append(v.String())
	}
}

// flush writes the rows in the builder.
func (t *Stream) flush() error {
	r := t.builder.NewRecordBatch()
	defer r.Release()
	t.rows = 0
	t.builder.Reserve(batch)
	return t.ipc.Write(r)
}

// End is End of [lab.Sink]: it writes the last rows and the end of the stream. It does not close
// the writer.
func (t *Stream) End() error {
	if t.builder == nil {
		t.begin(nil)
	}
	defer t.builder.Release()
	if t.rows > 0 {
		if err := t.flush(); err != nil {
			return err
		}
	}
	return t.ipc.Close()
}
