package inspect

import (
	"net/url"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

type overview struct {
	Title     string            `json:"title"`
	Frame     uint64            `json:"frame"`
	Tick      uint64            `json:"tick"`
	AgeMs     millis            `json:"ageMs"`
	Still     bool              `json:"still"`
	FPS       float64           `json:"fps"`
	Objects   amount            `json:"objects"`
	Bytes     volume            `json:"bytes"`
	Kinds     used              `json:"kinds"`
	Watchers  int               `json:"watchers"`
	Refused   map[string]uint64 `json:"refused"`
	Names     bool              `json:"names"`
	Inspector upkeep            `json:"inspector"`
}

type amount struct {
	Alive    int `json:"alive"`
	Peak     int `json:"peak"`
	Capacity int `json:"capacity"`
}

type volume struct {
	Allocated int  `json:"allocated"`
	Used      int  `json:"used"`
	Idle      bool `json:"idle,omitempty"` // almost none of its large room was ever used
}

type used struct {
	Used  int `json:"used"`
	Total int `json:"total"`
}

type upkeep struct {
	Rate    int    `json:"rate"`
	CopyMs  millis `json:"copyMs"`
	Skipped uint64 `json:"skipped"`
}

// overview answers with a summary of the world.
func (m *metrics) overview(v *view, _ url.Values) (any, error) {
	const much = 4 << 20 // reserved bytes from which an almost unused kind is reported
	now := m.options.Clock()
	bytes := volume{Allocated: len(world.Bytes(v.state)), Used: v.usedBytes()}
	bytes.Idle = bytes.Allocated > much && bytes.Used < bytes.Allocated/100
	commands, full := m.refusals.now()
	copied := time.Duration(m.frames.copied.Load())
	o := overview{
		Title: m.options.Title, Frame: v.number, Tick: v.tick,
		AgeMs: inMillis(max(now-v.at, 0)), Still: m.frames.still(now),
		Objects: amount{world.Len(v.state), tool.MaxUID(v.state), tool.Capacity(v.state)},
		Bytes:   bytes, Kinds: used{Total: len(v.known.kinds)},
		Watchers:  len(tool.WatcherUses(v.state)),
		Refused:   map[string]uint64{"commands": commands, "objects": full[objectsKind]},
		Names:     v.kind(world.NameKind.String()) != nil,
		Inspector: upkeep{m.options.Rate, inMillis(copied), m.frames.skipped.Load()},
	}
	for _, k := range v.known.kinds {
		if k.InUse {
			o.Kinds.Used++
		}
	}
	if !o.Still {
		o.FPS = m.times.perSecond()
	}
	return o, nil
}

// kinds answers with all kinds and the layout of their rows.
func (m *metrics) kinds(v *view, _ url.Values) (any, error) {
	_, full := m.refusals.now()
	for _, k := range v.known.kinds {
		k.Refused = full[k.Name]
		if k.Now == nil && k.Mounted > 0 {
			q, mounted := tool.QualityOf(v.state, k.kind), float64(k.Mounted)
			k.Now = &quality{
				float64(q.Lockstep) / mounted, q.Runs, mounted / float64(max(q.Runs, 1)),
			}
		}
	}
	return map[string]any{"frame": v.number, "kinds": v.known.kinds}, nil
}

type watcherView struct {
	Number  int    `json:"number"`
	Rules   string `json:"rules"`
	Members int    `json:"members"`
	Left    int    `json:"left"`
	Entered int    `json:"entered"`
}

// watchers answers with the world's watchers.
func (v *view) watchers(url.Values) (any, error) {
	list := []watcherView{}
	for n, w := range tool.WatcherUses(v.state) {
		list = append(list, watcherView{n, w.Rules, w.Members, w.Left, w.Entered})
	}
	return map[string]any{"frame": v.number, "watchers": list}, nil
}
