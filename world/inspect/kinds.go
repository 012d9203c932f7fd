package inspect

import (
	"net/url"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A kindView is a kind as the page shows it.
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

// know finds the frame's kinds, once.
func (v *view) know() {
	if v.known == v.number {
		return
	}
	v.known = v.number
	v.kinds, v.names = v.kinds[:0], make(map[string]int, len(v.names))
	for n, u := range tool.KindUses(v.state) {
		k := kindView{
			Name: u.Kind.String(), Number: u.Number, Role: roleOf(&u), Fields: fieldsOf(u.Kind),
			Mounted: u.Mounted, Loose: u.Loose, Suspended: u.Suspended,
			High: u.High, Capacity: u.Cap, Bytes: u.Bytes, UsedBytes: u.Used, kind: u.Kind,
		}
		k.InUse, k.Relation = k.inUse(), u.Kind.Spec().Relation != nil
		if u.Cap > 0 {
			k.Full = float64(k.rows()) / float64(u.Cap)
		}
		v.kinds = append(v.kinds, k)
		v.names[k.Name] = n
	}
	if v.parts == nil {
		v.parts = map[part]tool.Part{}
		for _, p := range tool.Parts(v.state) {
			if p.Field != nil {
				v.parts[part{p.Owner, p.Name}] = p
			}
		}
	}
}

func fieldsOf(k layout.Kind) []fieldView {
	list := []fieldView{}
	for _, f := range k.Fields() {
		shown := fieldView{f.Name, f.Stride, []partView{}}
		if f.List != nil {
			list = append(list, ofList(shown, f.List))
			continue
		}
		for _, p := range f.Parts[:min(len(f.Parts), maxLanes)] {
			shown.Parts = append(shown.Parts, partView{p.Name, p.Type, p.Lanes})
		}
		list = append(list, shown)
	}
	return list
}

// ofList shows a list as one part, whose value is in words.
func ofList(shown fieldView, l *layout.ListSpec) fieldView {
	words := "list of " + l.Element.Shape()
	if l.Text {
		words = "text"
	}
	shown.Parts = append(shown.Parts, partView{Type: words, Lanes: 1})
	return shown
}

func (k *kindView) inUse() bool { return k.rows() > 0 }

// rows returns how many rows are in use; of a mark, how many objects have it.
func (k *kindView) rows() int { return k.Mounted + k.Loose + k.Suspended }

func (k *kindView) spec() *layout.KindSpec { return k.kind.Spec() }

// kinds answers with all kinds, and how their components lie.
func (i *Inspector) kinds(v *view, _ url.Values) (any, error) {
	v.know()
	_, full := i.refusals.now()
	for n := range v.kinds {
		k := &v.kinds[n]
		k.Refused = full[k.Name]
		if k.Now != nil || k.Mounted == 0 {
			continue
		}
		k.Now = qualityOf(tool.QualityOf(v.state, k.kind), k.Mounted)
	}
	return map[string]any{"frame": v.number, "kinds": v.kinds}, nil
}

func qualityOf(q tool.Quality, mounted int) *quality {
	return &quality{
		Lockstep: float64(q.Lockstep) / float64(mounted), Runs: q.Runs,
		MeanRun: float64(mounted) / float64(max(q.Runs, 1)),
	}
}

// kindNamed returns the kind that a request asks for.
func (v *view) kindNamed(q url.Values) (*kindView, error) {
	v.know()
	name := q.Get("kind")
	if n, ok := v.names[name]; ok {
		return &v.kinds[n], nil
	}
	return nil, notFound("this world has no kind %q; api/kinds lists them", name)
}
