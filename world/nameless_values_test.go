package world_test

import (
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// valueFuncs are the exported functions of systems that speak of values and columns.
var valueFuncs = map[string]any{
	"Column":       world.Column[float32],
	"Overwrite":    world.Overwrite[float32],
	"Put":          world.Put[float32],
	"Replace":      world.Replace[float32],
	"Flat":         world.Flat[float32, float32],
	"Get":          world.Get[float32],
	"Gather":       world.Gather[float32],
	"Edit":         world.Edit[float32],
	"GetRow":       world.GetRow[float32],
	"SetRow":       world.SetRow[float32],
	"OpenWrite":    world.OpenWrite[float32],
	"Writer.At":    (*world.Writer[float32]).At,
	"Writer.AtN":   (*world.Writer[float32]).AtN,
	"Set":          world.Set[float32],
	"EventColumn":  world.EventColumn[float32],
	"Open":         world.Open[float32],
	"Reader.At":    (*world.Reader[float32]).At,
	"Reader.AtN":   (*world.Reader[float32]).AtN,
	"Resource":     world.Resource[float32],
	"SetResource":  world.SetResource[float32],
	"View":         world.View[float32],
	"tool.Touch":   tool.Touch,
	"ValueOf":      world.ValueOf[string],
	"LastOf":       world.LastOf[[2]float32],
	"SetValue":     world.SetValue[string],
	"UpdateValues": world.UpdateValues[string],
}
