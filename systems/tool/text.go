package tool

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Text formats one value of a field, which is Stride bytes: a single lane as "1", several as "[1
// 2]", named parts as "{X:1 Y:2}". [ParseText] is its inverse. It formats a list by its elements:
// "[{X:1 Y:2} {X:3 Y:4}]", and a text by its bytes, in Go's quotes. [ParseList] is the inverse for
// both.
func Text(f *layout.FieldSpec, value []byte) string {
	checkValue("Text", f, value)
	return manager.Text(f, value)
}

// TextNaming is [Text] with names for the ids of game objects in the value.
func TextNaming(f *layout.FieldSpec, value []byte, name func(systems.GameObject) string) string {
	checkValue("TextNaming", f, value)
	if name == nil {
		panic("flatecs: TextNaming with a nil function; pass one that names ids, or call Text")
	}
	return manager.TextNaming(f, value, name)
}

func checkValue(who string, f *layout.FieldSpec, value []byte) {
	if f == nil || len(f.Parts) == 0 {
		panic("flatecs: " + who + " without a field; give the Spec of one")
	}
	if l := f.List; l != nil {
		if len(value)%l.Element.Stride != 0 {
			panic(fmt.Sprintf("flatecs: %d bytes are not whole elements of %s, of %d bytes "+
				"each; pass all elements of a list", len(value), f, l.Element.Stride))
		}
		return
	}
	if len(value) != f.Stride {
		panic(fmt.Sprintf("flatecs: a value of %s has %d bytes, not %d; give one row of its column",
			f, f.Stride, len(value)))
	}
}

// A TextError says where a text is not a value, and why.
type TextError struct {
	At  int // offset in the text, in bytes
	Err error
}

// Error returns the message of e.
func (e *TextError) Error() string {
	if e == nil || e.Err == nil {
		return "flatecs: the zero TextError"
	}
	return fmt.Sprintf("flatecs: byte %d of the value: %v", e.At, e.Err)
}

// Unwrap returns the reason.
func (e *TextError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ParseText parses a value of a field as printed by [Text], with any number of spaces where Text
// prints one, and writes it to value, which has the field's Stride bytes. Named parts may come in
// any order; omitted parts keep their values. For an id, refer returns the object of the word at an
// offset in the text; at is the id's offset in value. The error is a [*TextError]; then value may
// be partly written. It refuses NaN.
func ParseText(
	value []byte, f *layout.FieldSpec, text string,
	refer func(word string, at, offset int) (systems.GameObject, error),
) error {
	checkValue("ParseText", f, value)
	switch {
	case refer == nil:
		panic("flatecs: ParseText with a nil function; pass one that finds ids")
	case f.List != nil:
		panic("flatecs: ParseText of " + f.String() + ", a list; call ParseList")
	}
	p := parser{text: text, value: value, refer: refer}
	p.space()
	p.record(f)
	return p.end(f)
}

// A parser reads a text. After its first error it reads nothing.
type parser struct {
	text  string
	at    int
	value []byte
	refer func(word string, at, offset int) (systems.GameObject, error)
	whole bool // no parts may be omitted
	err   *TextError
}

// record reads one value of a field that is not a list.
func (p *parser) record(f *layout.FieldSpec) {
	if f.Parts[0].Name == "" {
		p.lanes(&f.Parts[0])
	} else {
		p.parts(f)
	}
}

// end returns an error unless the text ends here, after a value.
func (p *parser) end(f *layout.FieldSpec) error {
	p.space()
	if p.at < len(p.text) {
		p.fail("%.40q comes after the value of %s; remove it", p.text[p.at:],
			f.Title(layout.Part{}))
	}
	if p.err != nil {
		return p.err
	}
	return nil
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &TextError{p.at, fmt.Errorf(format, args...)}
	}
	p.at = len(p.text)
}

// blank are the bytes that separate words: spaces and ends of lines.
const blank = " \t\r\n"

// space passes blanks, and a byte order mark before the first.
func (p *parser) space() {
	if p.at == 0 && strings.HasPrefix(p.text, mark) {
		p.at = len(mark)
	}
	for p.at < len(p.text) && strings.IndexByte(blank, p.text[p.at]) >= 0 {
		p.at++
	}
}

// skip reads a character, if it is next.
func (p *parser) skip(c byte) bool {
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

// parts reads "{X:1 Y:2}".
func (p *parser) parts(f *layout.FieldSpec) {
	if !p.skip('{') {
		p.fail("%s has parts; write them in braces: {%s:…}", f.Title(layout.Part{}),
			layout.Quoted(f.Parts[0].Name))
		return
	}
	given := make([]bool, len(f.Parts))
	for p.space(); p.err == nil && !p.skip('}'); p.space() {
		if p.at == len(p.text) {
			p.fail("a brace is open; close it by }")
			return
		}
		at := p.at
		name := p.name()
		i := slices.IndexFunc(f.Parts, func(x layout.Part) bool { return x.Name == name })
		switch {
		case p.err != nil:
		case i < 0:
			name = p.text[at:p.at]
			p.at = at
			p.fail("%s has no part %.40q; it has %s", f.Title(layout.Part{}), name, f.Shape())
		case given[i]:
			p.at = at
			p.fail("%s is given twice; leave one out", f.Title(f.Parts[i]))
		case !p.skip(':'):
			p.fail("a colon is missing after %s", layout.Quoted(f.Parts[i].Name))
		default:
			given[i] = true
			p.space()
			p.lanes(&f.Parts[i])
		}
	}
	if i := slices.Index(given, false); p.whole && i >= 0 {
		p.fail("%s is left out; give all parts of an element", f.Title(f.Parts[i]))
	}
}

// name reads the name of a part, up to the colon.
func (p *parser) name() string {
	if p.text[p.at] == '"' {
		return p.quoted()
	}
	return strings.TrimRight(p.until(":{}\""), blank)
}

// until reads up to one of some bytes, or all.
func (p *parser) until(one string) string {
	rest := p.text[p.at:]
	if end := strings.IndexAny(rest, one); end >= 0 {
		rest = rest[:end]
	}
	p.at += len(rest)
	return rest
}

// quoted reads a string in quotes.
func (p *parser) quoted() string {
	prefix, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		p.fail("a quote is open, or holds no valid string; close it by \"")
		return ""
	}
	p.at += len(prefix)
	s, _ := strconv.Unquote(prefix) // QuotedPrefix checked it
	return s
}

// lanes reads "1", or "[1 2]" for several.
func (p *parser) lanes(part *layout.Part) {
	dst, size := part.Bytes(p.value), part.Size()
	if part.Lanes == 1 {
		p.element(dst, part, part.Offset)
		return
	}
	if !p.skip('[') {
		p.fail("%d numbers are needed; write them in brackets, with spaces between", part.Lanes)
		return
	}
	for i := range part.Lanes {
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ']' {
			p.fail("%d of %d numbers are given; give all", i, part.Lanes)
		}
		p.element(dst[i*size:][:size], part, part.Offset+i*size)
	}
	if p.space(); !p.skip(']') {
		p.fail("a bracket must close after %d numbers", part.Lanes)
	}
}

// word reads an element, plain or in quotes.
func (p *parser) word() string {
	if strings.HasPrefix(p.text[p.at:], `"`) {
		return p.quoted()
	}
	return p.until(blank + "[]{}:\"")
}

// element reads one element; offset is its offset in the value.
func (p *parser) element(dst []byte, part *layout.Part, offset int) {
	at := p.at
	word := p.word()
	if p.err != nil {
		return
	}
	var bits uint64
	var err error
	switch {
	case word == "":
		err = missing(part.Type)
	case part.Type == "id":
		var id systems.GameObject
		id, err = p.refer(word, at, offset)
		bits = uint64(id)
	default:
		bits, err = ParseElement(part.Type, word)
	}
	if err != nil {
		p.at = at
		p.fail("%w", err)
		return
	}
	var wide [8]byte
	binary.LittleEndian.PutUint64(wide[:], bits)
	copy(dst, wide[:])
}

// missing returns the error of an element that is not given.
func missing(element string) error {
	wants := "a number"
	switch element {
	case "bool":
		wants = "true or false"
	case "id":
		wants = "the id or the name of an object"
	}
	return fmt.Errorf("a value is missing; %s wants %s, without braces or brackets", element, wants)
}

// ParseElement parses an element as printed by [Text], and returns its bits, the lowest first. It
// refuses NaN, because worlds do not hold NaN. The error lists the allowed values.
func ParseElement(element, text string) (bits uint64, err error) {
	size := 8 * layout.Part{Type: element}.Size()
	switch element {
	case "bool":
		var on bool
		if on, err = strconv.ParseBool(text); on {
			bits = 1
		}
	case "id":
		var id systems.GameObject
		id, err = ParseGameObject(text)
		bits = uint64(id)
	case "float16", "float32", "float64":
		bits, err = parseFloat(text, size)
	case "int8", "int16", "int32", "int64":
		var n int64
		n, err = strconv.ParseInt(text, 10, size)
		bits = uint64(n)
	case "uint8", "uint16", "uint32", "uint64":
		bits, err = strconv.ParseUint(text, 10, size)
	default:
		return 0, fmt.Errorf("flatecs: %.40q is no element; see layout.Part", element)
	}
	if err != nil {
		return 0, fmt.Errorf("%.40q is no %s that fits", text, element)
	}
	return bits, nil
}

// parseFloat returns the bits of a number with size bits.
func parseFloat(text string, size int) (uint64, error) {
	x, err := strconv.ParseFloat(text, max(size, 32))
	if math.IsNaN(x) {
		return 0, strconv.ErrSyntax
	}
	switch size {
	case 64:
		return math.Float64bits(x), err
	case 32:
		return uint64(math.Float32bits(float32(x))), err
	}
	var half [1]uint16
	kernel.PackFloat16(half[:], []float32{float32(x)})
	if half[0]&0x7fff == 0x7c00 && !math.IsInf(x, 0) {
		return 0, strconv.ErrRange
	}
	return uint64(half[0]), err
}
