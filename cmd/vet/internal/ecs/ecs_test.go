package ecs

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	own "github.com/flatecs/flatecs/layout"
	portal "github.com/flatecs/flatecs/world"
)

// The functions that the checks know by name.
var _ = []any{
	portal.Clone, portal.Resized, portal.Close, portal.SpawnN,
	portal.Column[float32], portal.Flat[float32, float32],
	portal.NewQuery, portal.Query.And, portal.Read, portal.Write, portal.Optional,
	own.NewKind, own.NewComponent[float32],
	portal.NextStream, portal.Random, portal.SetResource[float32], // which messages tell of
}

func TestNamesAreThoseOfFlatecs(t *testing.T) {
	for _, c := range []struct {
		path, name string
		is         reflect.Type
	}{
		{systems, "State", reflect.TypeFor[portal.State]()},
		{systems, "Batch", reflect.TypeFor[portal.Batch]()},
		{systems, "Query", reflect.TypeFor[portal.Query]()},
		{layout, "Kind", reflect.TypeFor[own.Kind]()},
		{layout, "Field[float32]", reflect.TypeFor[own.Field[float32]]()},
	} {
		assert.Equal(t, c.path+"."+c.name, c.is.PkgPath()+"."+c.is.Name())
	}
}
