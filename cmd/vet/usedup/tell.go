package usedup

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// report tells what was found, in order.
func (f *flow) report() {
	keys := slices.SortedFunc(maps.Keys(f.found), func(a, b finding) int {
		return cmp.Compare(f.found[a].Pos(), f.found[b].Pos())
	})
	for _, k := range keys {
		f.check.report.At(f.found[k], "%s", f.explain(k))
	}
	for call, k := range f.tardy {
		name := ecs.NameOf(call)
		f.check.report.At(call, "defer gives %s the %s of now, which is used up by %s on line %d; "+
			"write defer func() { %s(%s) }()",
			name, k.v.Name(), ecs.NameOf(k.call), f.line(k.call.Pos()), name, k.v.Name())
	}
}

// explain says what became of a State, and the cure.
func (f *flow) explain(k finding) string {
	name, v, line := ecs.NameOf(k.call), k.v.Name(), f.line(k.call.Pos())
	if f.closes(k.call) {
		return fmt.Sprintf("%s was closed by %s on line %d; close it later", v, name, line)
	}
	text := fmt.Sprintf("%s was used up by %s on line %d; ", v, name, line)
	left := ecs.Assigned(ecs.SignatureOf(f.pass.TypesInfo, k.call), v)
	switch {
	case k.next == nil || k.next == k.v:
		return text + fmt.Sprintf("write %s = %s(%s, …) there", left, name, v)
	case k.next.Name() == v:
		return text + fmt.Sprintf("what it returned is another %s, declared by := in an inner "+
			"block: declare its other results before and write %s = %s(%s, …)", v, left, name, v)
	}
	return text + fmt.Sprintf("use what it returned, %s", k.next.Name())
}

func (f *flow) line(pos token.Pos) int { return f.pass.Fset.Position(pos).Line }
