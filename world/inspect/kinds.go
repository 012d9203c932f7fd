package inspect

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A kindView is a kind in the form that the page shows.
type kindView struct {
	Name      string      `json:"name"`
	Number    int         `json:"number"`
	Role      string      `json:"role"`
	Fields    []fieldView `json:"fields"`
	InUse     bool        `json:"inUse"`
	Relation  bool        `json:"relation"`
	Mounted   int         `json:"mounted"`
	Loose     int         `json:"loose"`
	Suspended int         `json:"suspended"`
	High      int         `json:"high"`
	Capacity  int         `json:"capacity"`
	Full      float64     `json:"full"`
	Bytes     int         `json:"bytes"`
	UsedBytes int         `json:"usedBytes"`
	Refused   uint64      `json:"refused"`
	Now       *quality    `json:"now,omitempty"`

	kind layout.Kind
}

type fieldView struct {
	Name  string     `json:"name"`
	Bytes int        `json:"bytes"`
	Parts []partView `json:"parts"`
}

type partView struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Lanes int    `json:"lanes"`
}

type quality struct {
	Lockstep float64 `json:"lockstep"`
	Runs     int     `json:"runs"`
	MeanRun  float64 `json:"meanRun"`
}

// Roles of kinds.
const (
	roleComponent = "component"
	rolePacked    = "packed"
	roleMark      = "mark"
	roleValues    = "values"
	roleBeside    = "beside"
)

func roleOf(u *tool.KindUse) string {
	switch spec := u.Kind.Spec(); {
	case u.Beside:
		return roleBeside
	case spec.Mark:
		return roleMark
	case spec.Values != nil:
		return roleValues
	case u.Packed:
		return rolePacked
	}
	return roleComponent
}

// known caches the kinds and columns of a frame's world.
type known struct {
	of    uint64 // number of the frame; 0: empty
	kinds []*kindView
	names map[string]*kindView
	parts map[part]tool.Part // unchanged while a slot lives
}

// A part identifies the column of a field.
type part struct{ kind, field string }

// know finds the frame's kinds, once per frame.
func (v *view) know() {
	f := &v.known
	if f.of == v.number {
		return
	}
	f.of = v.number
	f.kinds, f.names = f.kinds[:0], make(map[string]*kindView, len(f.names))
	for _, u := range tool.KindUses(v.state) {
		k := &kindView{
			Name: u.Kind.String(), Number: u.Number, Role: roleOf(&u), Fields: fieldsOf(u.Kind),
			Mounted: u.Mounted, Loose: u.Loose, Suspended: u.Suspended,
			High: u.High, Capacity: u.Cap, Bytes: u.Bytes, UsedBytes: u.Used, kind: u.Kind,
		}
		k.InUse, k.Relation = k.rows() > 0, k.spec().Relation != nil
		if u.Cap > 0 {
			k.Full = float64(k.rows()) / float64(u.Cap)
		}
		f.kinds = append(f.kinds, k)
		f.names[k.Name] = k
	}
	if f.parts == nil {
		f.parts = map[part]tool.Part{}
		for _, p := range tool.Parts(v.state) {
			if p.Field != nil {
				f.parts[part{p.Owner, p.Name}] = p
			}
		}
	}
}

// kind returns the kind called name, or nil.
func (v *view) kind(name string) *kindView { return v.known.names[name] }

func fieldsOf(k layout.Kind) []fieldView {
	list := []fieldView{}
	for _, f := range k.Fields() {
		shown := fieldView{f.Name, f.Stride, []partView{}}
		switch l := f.List; { // a list is shown as one part, with its value as text
		case l == nil:
			for _, p := range f.Parts[:min(len(f.Parts), maxLanes)] {
				shown.Parts = append(shown.Parts, partView{p.Name, p.Type, p.Lanes})
			}
		case l.Text:
			shown.Parts = append(shown.Parts, partView{"", "text", 1})
		default:
			shown.Parts = append(shown.Parts, partView{"", "list of " + l.Element.Shape(), 1})
		}
		list = append(list, shown)
	}
	return list
}

// rows returns the number of rows in use; for a mark, the number of objects with it.
func (k *kindView) rows() int { return k.Mounted + k.Loose + k.Suspended }

func (k *kindView) spec() *layout.KindSpec { return k.kind.Spec() }
