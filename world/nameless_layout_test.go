package world_test

import (
	"github.com/flatecs/flatecs/layout"
)

// layoutFuncs are the exported functions of layout.
var layoutFuncs = map[string]any{
	"layout.FieldSpec.String": (*layout.FieldSpec).String,
	"layout.Field.Spec":       layout.Field[float32].Spec,
	"layout.Field.Fields":     layout.Field[float32].Fields,
	"layout.NewField":         layout.NewField[float32],
	"layout.Field.Value":      layout.Field[float32].Value,
	"layout.Elements":         layout.Elements[float32],
	"layout.SizeOf":           layout.SizeOf,
	"layout.ForeignField":     layout.ForeignField,
	"layout.NewForeign":       layout.NewForeign,
	"layout.NewForeignMark":   layout.NewForeignMark,
	"layout.NewKind":          layout.NewKind,
	"layout.NewMark":          layout.NewMark,
	"layout.KindSpec.Handle":  (*layout.KindSpec).Handle,
	"layout.Kind.Spec":        layout.Kind.Spec,
	"layout.Kind.Fields":      layout.Kind.Fields,
	"layout.Kind.String":      layout.Kind.String,
	"layout.Kind.Count":       layout.Kind.Count,
	"layout.NewMask":          layout.NewMask,
	"layout.Mask.Set":         (*layout.Mask).Set,
	"layout.Mask.Add":         (*layout.Mask).Add,
	"layout.Mask.Unset":       layout.Mask.Unset,
	"layout.Mask.Has":         layout.Mask.Has,
	"layout.Mask.Clear":       layout.Mask.Clear,
	"layout.Mask.Len":         layout.Mask.Len,
	"layout.Mask.Intersects":  layout.Mask.Intersects,
	"layout.Mask.SubsetOf":    layout.Mask.SubsetOf,
	"layout.Mask.Equal":       layout.Mask.Equal,
	"layout.Mask.All":         layout.Mask.All,
	"layout.Mask.String":      layout.Mask.String,
	"layout.NewValues":        layout.NewValues[string],
	"layout.Values.Kind":      layout.Values[string].Kind,
	"layout.Values.Count":     layout.Values[string].Count,
	"layout.Column.Reset":     (*layout.Column[string]).Reset,
	"layout.Column.CopyRow":   (*layout.Column[string]).CopyRow,
	"layout.Column.Swap":      (*layout.Column[string]).Swap,
	"layout.Column.Copy":      (*layout.Column[string]).Copy,
	"layout.Column.Value":     (*layout.Column[string]).Value,
}
