package columns

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/save"
)

// ErrNoRows is the error of kinds without columns: marks and Go values.
var ErrNoRows = errors.New("arrow: the kind has no columns")

// Of returns the rows of a kind, with a column for the object and one for each field. It is valid
// until the file is closed. It returns [ErrNoRows], wrapped, and the errors of package world/save.
func Of(f *save.File, kind string) (arrow.RecordBatch, error) {
	i := slices.IndexFunc(f.Kinds(), func(k save.FileKind) bool { return k.Name == kind })
	if i < 0 {
		return nil, fmt.Errorf("arrow: the file has no kind %s", layout.Quoted(kind))
	}
	k := f.Kinds()[i]
	if k.Mark || k.Values {
		return nil, fmt.Errorf("%w: %s; omit it", ErrNoRows, layout.Quoted(kind))
	}
	ids, mounted, err := f.Rowed(kind)
	if err != nil {
		return nil, err
	}
	r := rows{n: len(ids), mounted: memory.NewBufferBytes(mounted)}
	objects := arrow.Uint64Traits.CastToBytes(idNumbers(ids))
	r.add("object", arrow.PrimitiveTypes.Uint64, nil, memory.NewBufferBytes(objects))
	for _, field := range k.Fields {
		values, _, err := f.Bytes(kind, field.Name)
		if err != nil {
			return nil, err
		}
		l, isList, err := f.List(kind, field.Name)
		if err == nil && isList {
			err = r.lists(field.Name, &l)
		} else if err == nil {
			err = r.field(field, values[:r.n*field.Stride])
		}
		if err != nil {
			return nil, fmt.Errorf("arrow: %s.%s: %w", layout.Quoted(kind),
				layout.Quoted(field.Name), err)
		}
	}
	notes := arrow.NewMetadata([]string{"flatecs.kind", "flatecs.tick"},
		[]string{kind, strconv.FormatUint(f.Tick(), 10)})
	return array.NewRecordBatch(arrow.NewSchema(r.fields, &notes), r.columns, int64(r.n)), nil
}

func idNumbers[ID ~uint64](ids []ID) []uint64 {
	numbers := make([]uint64, len(ids))
	for i, id := range ids {
		numbers[i] = uint64(id)
	}
	return numbers
}

// rows are the columns of a record batch under construction.
type rows struct {
	n       int
	mounted *memory.Buffer // validity of all columns
	fields  []arrow.Field
	columns []arrow.Array
}

// add adds a column of values or of children.
func (r *rows) add(
	name string, t arrow.DataType, children []arrow.ArrayData, values ...*memory.Buffer,
) {
	buffers := append([]*memory.Buffer{r.mounted}, values...)
	d := array.NewData(t, r.n, buffers, children, array.UnknownNullCount, 0)
	r.fields = append(r.fields, arrow.Field{Name: name, Type: t, Nullable: true})
	r.columns = append(r.columns, array.MakeFromData(d))
}

// field adds the column of a field.
func (r *rows) field(f *layout.FieldSpec, values []byte) error {
	t, children, buffers, err := valuesOf(f, r.n, values)
	if err == nil {
		r.add(f.Name, t, children, buffers...)
	}
	return err
}

// lists adds the column of a list. It copies the elements of all rows.
func (r *rows) lists(name string, l *save.FileList) error {
	offsets := make([]int32, r.n+1)
	var values []byte
	for row := range r.n {
		values = append(values, l.At(row)...)
		n := len(values) / l.Element.Stride
		if n > math.MaxInt32 {
			return errors.New("the lists have more elements than Arrow supports")
		}
		offsets[row+1] = int32(n)
	}
	ends := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))
	if l.IsText {
		r.add(name, arrow.BinaryTypes.String, nil, ends, memory.NewBufferBytes(values))
		return nil
	}
	n := int(offsets[r.n])
	t, children, buffers, err := valuesOf(l.Element, n, values)
	if err != nil {
		return err
	}
	buffers = append([]*memory.Buffer{nil}, buffers...)
	child := array.NewData(t, n, buffers, children, 0, 0)
	r.add(name, arrow.ListOfNonNullable(t), []arrow.ArrayData{child}, ends)
	return nil
}

// valuesOf returns the type, the children and the buffers, after the validity, of n values of a
// field. If the elements have several types, it is a struct with a child for each part, and the
// values are copied.
func valuesOf(f *layout.FieldSpec, n int, values []byte) (
	arrow.DataType, []arrow.ArrayData, []*memory.Buffer, error,
) {
	lanes, same := 0, true
	for _, p := range f.Parts {
		lanes += p.Lanes
		same = same && p.Type == f.Parts[0].Type
	}
	if same {
		return elements(f.Parts[0].Type, lanes, n, values)
	}
	var fields []arrow.Field
	var all []arrow.ArrayData
	for _, p := range f.Parts {
		size := p.Size() * p.Lanes
		part := make([]byte, 0, n*size)
		for row := range n {
			part = append(part, values[row*f.Stride+p.Offset:][:size]...)
		}
		t, children, buffers, err := elements(p.Type, p.Lanes, n, part)
		if err != nil {
			return nil, nil, nil, err
		}
		buffers = append([]*memory.Buffer{nil}, buffers...)
		fields = append(fields, arrow.Field{Name: p.Name, Type: t})
		all = append(all, array.NewData(t, n, buffers, children, 0, 0))
	}
	return arrow.StructOf(fields...), all, nil, nil
}

// elements returns the type, the children and the buffers, after the validity, of n values with a
// number of lanes.
func elements(name string, lanes, n int, values []byte) (
	arrow.DataType, []arrow.ArrayData, []*memory.Buffer, error,
) {
	t, ok := types[name]
	if !ok {
		return nil, nil, nil, fmt.Errorf("elements of type %s, which Arrow does not support", name)
	}
	if name == "bool" {
		values = bits(values)
	}
	buffer := memory.NewBufferBytes(values)
	if lanes == 1 {
		return t, nil, []*memory.Buffer{buffer}, nil
	}
	child := array.NewData(t, n*lanes, []*memory.Buffer{nil, buffer}, nil, 0, 0)
	return arrow.FixedSizeListOfNonNullable(int32(lanes), t), []arrow.ArrayData{child}, nil, nil
}

// bits returns a bit for each byte: 1 if the byte is not 0.
func bits(values []byte) []byte {
	dst := make([]byte, (len(values)+7)/8)
	for i, v := range values {
		if v != 0 {
			dst[i/8] |= 1 << (i % 8)
		}
	}
	return dst
}

// types are Arrow's types by the names of layout.Part.
var types = map[string]arrow.DataType{
	"bool": arrow.FixedWidthTypes.Boolean, "id": arrow.PrimitiveTypes.Uint64,
	"int8": arrow.PrimitiveTypes.Int8, "uint8": arrow.PrimitiveTypes.Uint8,
	"int16": arrow.PrimitiveTypes.Int16, "uint16": arrow.PrimitiveTypes.Uint16,
	"int32": arrow.PrimitiveTypes.Int32, "uint32": arrow.PrimitiveTypes.Uint32,
	"int64": arrow.PrimitiveTypes.Int64, "uint64": arrow.PrimitiveTypes.Uint64,
	"float16": arrow.FixedWidthTypes.Float16, "float32": arrow.PrimitiveTypes.Float32,
	"float64": arrow.PrimitiveTypes.Float64,
}
