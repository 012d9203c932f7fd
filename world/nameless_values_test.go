package world_test

import (
	"github.com/flatecs/flatecs/world"
)

// valueFuncs are the exported functions of systems that speak of values and columns.
var valueFuncs = map[string]any{
	"Column":       world.Column[float32],
	"Column2":      world.Column2[float32],
	"Column3":      world.Column3[float32],
	"Column4":      world.Column4[float32],
	"Put":          world.Put[float32],
	"Set":          world.Set[float32],
	"EventColumn":  world.EventColumn[float32],
	"Open":         world.Open[float32],
	"Reader.At":    (*world.Reader[float32]).At,
	"Resource":     world.Resource[float32],
	"SetResource":  world.SetResource[float32],
	"Values":       world.Values[float32],
	"Value":        world.Value[float32],
	"Lanes":        world.Lanes[float32],
	"View":         world.View[float32],
	"Touch":        world.Touch,
	"ValueOf":      world.ValueOf[string],
	"SetValue":     world.SetValue[string],
	"UpdateValues": world.UpdateValues[string],
}
