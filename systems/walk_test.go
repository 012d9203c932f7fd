package systems

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

var (
	writeA = NewQuery(Write(fieldA))
	readA  = NewQuery(Read(fieldA))
	writeC = NewQuery(Write(fieldC))
)

// mixed returns a world of n objects with A and C, the rows of C in another order.
func mixed(t *testing.T, n int) (State, []GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: n, Kinds: []layout.Count{
		kindA.Count(n), kindB.Count(n), kindC.Count(n), markX.Count(0), markY.Count(0),
	}}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(CreateWith(s, kindA))
	}
	for i := range ids {
		s = sure(Add(s, ids[(i*7+3)%n], kindC))
	}
	return s, ids
}

// TestRulesOfAnOpenWalk: structure stays, and what is written is reached through batches only.
func TestRulesOfAnOpenWalk(t *testing.T) {
	s, ids := mixed(t, 100)
	before := string(Bytes(s))
	at := ReaderOf(s, fieldA)
	for range writeA.In(s) {
		for name, err := range refusedWhileWalking(s, ids[1]) {
			if !errors.Is(err, ErrWalking) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, f := range map[string]func(){
			"At":       func() { at.Get(ids[0]) },
			"GetRow":   func() { GetRow(s, fieldA, 0) },
			"SetRow":   func() { _ = SetRow(s, fieldA, 0, [3]float32{}) },
			"WriterOf": func() { _ = WriterOf(s, fieldA) },
			"View":     func() { View(s, fieldA) },
			"Dispose":  func() { _ = DisposeComponent(s, kindC, 0) },
			"Close":    func() { Close(s) },
			"nested write": func() {
				for range writeA.In(s) {
					t.Error("walked")
				}
			},
			"nested read": func() {
				for range readA.In(s) {
					t.Error("walked")
				}
			},
		} {
			mustPanic(t, name, f)
		}
		if _, err := Get(s, ids[0], fieldC); err != nil {
			t.Error(err)
		}
		if key, err := NewQuery(Only(kindA)).Key(s); err != nil || key != "onlyOf:0" {
			t.Error("keys may be asked for:", key, err)
		}
	}
	if string(Bytes(s)) != before {
		t.Error("the world's bytes have changed")
	}
}

func refusedWhileWalking(s State, id GameObject) map[string]error {
	refused := map[string]error{}
	_, _, refused["create"] = Create(s)
	_, refused["dispose"] = Dispose(s, id)
	_, refused["disposeN"] = Dispose(s, id)
	_, refused["disposeAll"] = readA.DisposeAll(s)
	_, refused["addAll"] = readA.AddAll(s, markX)
	_, refused["removeAll"] = readA.RemoveAll(s, kindC)
	_, refused["copy"] = copied(s, id)
	_, _, refused["createRow"] = CreateComponent(s, kindB)
	_, refused["mount"] = Mount(s, id, kindB, 0)
	_, refused["add"] = Add(s, id, kindB)
	_, refused["remove"] = Remove(s, id, kindA)
	_, refused["suspend"] = Suspend(s, id, kindA)
	_, refused["get"] = Get(s, id, fieldA)
	_, refused["set"] = Set(s, id, fieldA, [3]float32{})
	_, _, refused["edit"] = Edit(s, id, fieldA)
	_, refused["clone"] = Clone(s)
	_, _, refused["ensure"] = Ensure(s, id, kindB)
	_, _, refused["renew"] = Reset(s, id, kindC)
	_, refused["addSome"] = addSome(s, id, kindB, markX)
	_, _, refused["createWith"] = CreateWith(s, kindC)
	return refused
}

func copied(s State, id GameObject) (State, error) {
	s, _, err := Copy(s, id)
	return s, err
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text := fmt.Sprint(recover()); !strings.Contains(text, ";") && !strings.Contains(text, ". ") {
			t.Errorf("%s: panics with %q, which tells no cure", name, text)
		}
	}()
	f()
}

// TestMisusedQueries: each panics and tells the cure.
func TestMisusedQueries(t *testing.T) {
	s, ids := mixed(t, 10)
	for name, f := range map[string]func(){
		"a field that is not asked for": func() {
			for b := range readA.In(s) {
				layout.Flat[uint8](fieldC, Column(b, fieldC))
			}
		},
		"the zero query":             func() { Query{}.Count(s) },
		"a recipe with a kind twice": func() { NewRecipe("twice", markX, markX) },
		"a field twice":              func() { NewQuery(Read(fieldA), Write(kindA)).Count(s) },
		"a field of no kind": func() {
			NewQuery(Read(layout.NewField[uint8]("loose"))).Count(s)
		},
		"a kind without fields": func() { NewQuery(Read(Instance)).Count(s) },
		"another element": func() {
			for b := range readA.In(s) {
				layout.Flat[uint32](fieldA, Column(b, fieldA))
			}
		},
		"an id in a row-wise batch": func() {
			for b := range NewQuery(Read(fieldA), RowWise()).In(s) {
				b.ID(0)
			}
		},
		"the ids of a row-wise batch": func() {
			for b := range NewQuery(Read(fieldA), RowWise()).In(s) {
				b.AppendIDs(nil)
			}
		},
		"the ids of no batch": func() { Batch{}.AppendIDs(nil) },
		"an id outside": func() {
			for b := range readA.In(s) {
				b.ID(b.Len())
			}
		},
		"since without changed": func() {
			for range readA.Since(s, 1) {
				t.Error("walked")
			}
		},
	} {
		mustPanic(t, name, f)
	}
	n := 0
	for b := range writeC.Of(s, ids[4]) {
		layout.Flat[uint8](fieldC, Column(b, fieldC))[1] = 77
		n += b.Len()
	}
	if n != 1 || View(s, fieldC)[sure(RowOf(s, ids[4], kindC))][1] != 77 {
		t.Error("Of shows one object", n)
	}
	for range writeC.Of(s, 0) {
		t.Error("Of shows nobody")
	}
}
