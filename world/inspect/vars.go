package inspect

import (
	"context"
	"encoding/json"
	"fmt"
)

// Var returns the metrics as a variable for package expvar: a JSON object with a number for each
// sample, by its name in OpenMetrics. After Close it is empty.
//
//	expvar.Publish("flatecs", inspector.Var())
func (i *Inspector) Var() fmt.Stringer { return variable{i.made()} }

type variable struct{ inspector *Inspector }

// String returns the samples as JSON.
func (v variable) String() string {
	found := map[string]float64{}
	list, err := v.inspector.Metrics(context.Background())
	if err != nil {
		return "{}"
	}
	for _, m := range list {
		for _, s := range m.Samples {
			found[string(s.appendName(nil, m.Name))] = s.Value
		}
	}
	text, err := json.Marshal(found)
	if err != nil {
		return "{}" // no sample is infinite
	}
	return string(text)
}
