package world_test

import (
	"reflect"

	"github.com/flatecs/flatecs/world/network"
)

// networkFuncs are the exported functions of network.
var networkFuncs = map[string]any{
	"network.New":                network.New,
	"network.Network.AddTo":      (*network.Network).AddTo,
	"network.Network.Link":       (*network.Network).Link,
	"network.Network.LinkAll":    (*network.Network).LinkAll,
	"network.Network.Out":        (*network.Network).Out,
	"network.Network.In":         (*network.Network).In,
	"network.Network.Neighbours": (*network.Network).Neighbours,
	"network.Network.Degree":     (*network.Network).Degree,
	"network.Ring":               network.Ring,
	"network.Random":             network.Random,
	"network.SmallWorld":         network.SmallWorld,
	"network.Preferential":       network.Preferential,
}

var roomNetwork = network.New("roads")

// listNetwork lists what functions of network take.
func listNetwork(all map[reflect.Type]listing) {
	list(all, func(*room) *network.Network { return roomNetwork }, bads{
		"zero":    func(*room) any { return new(network.Network) },
		"foreign": func(*room) any { return network.New("foreign") },
	})
	list(all, func(*room) []network.Pair { return []network.Pair{{From: 0, To: 0}} }, bads{
		"of none": func(*room) any { return []network.Pair{{From: -1, To: 1 << 20}} },
	})
}
