package manager_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

func TestAllocs(t *testing.T) {
	m := manager.PositionsOf(alone(t, manager.Position.Kind(), 300))
	for object := range uint32(200) {
		must(m.Add(object * 7 % 300))
	}
	names := layout.NewValues("name", "")
	values := manager.ValuesOf(alone(t, names.Kind(), 8), names)
	must(values.Add(3))
	rename := func(string) string { return "c" }
	var rows [64]uint32
	for name, run := range map[string]func(){
		"create, mount, remove": func() {
			row := must(m.Create())
			if m.Mount(299, row) != nil || m.Remove(299) != nil {
				t.Fail()
			}
		},
		"add, dispose":    func() { m.Dispose(must(m.Add(299))) },
		"create, dispose": func() { m.Dispose(must(m.Create())) },
		"get":             func() { must(m.Get(7)) },
		"rows of":         func() { m.RowsOf(&rows, 0, 0b101) },
		"at":              func() { m.At(must(m.Get(7)))[1] = 2 },
		"update":          func() { m.Update() },
		"all": func() {
			for range m.All() {
			}
		},
		"runs": func() {
			for range m.Runs() {
			}
		},
		"values": func() {
			*must(values.At(3)) = "b"
			values.Update(rename)
		},
	} {
		t.Run(name, func(t *testing.T) { assert.Zero(t, testing.AllocsPerRun(50, run)) })
	}
}
