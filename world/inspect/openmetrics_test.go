package inspect_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An openFamily is a family of an OpenMetrics text, as parseOpenMetrics reads it.
type openFamily struct {
	kind, unit, help string
	samples          map[string]float64 // by suffix and labels, as they are written
}

var (
	openName   = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	openSample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^ ]*.*\})? (\S+)$`)
	openLabel  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)`)
	openNumber = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

	openSuffixes = map[string][]string{
		"gauge": {""}, "counter": {"_total"}, "summary": {"", "_sum", "_count"},
	}
)

// parseOpenMetrics reads what the standard's grammar allows of gauges, counters and summaries
// without timestamps, and refuses the rest: metadata once per family and before its samples, families
// in one piece, units and suffixes that names end in, labels that differ, and an end that says so.
func parseOpenMetrics(text string) (map[string]*openFamily, error) {
	body, ok := strings.CutSuffix(text, "# EOF\n")
	if !ok || !strings.HasSuffix(body, "\n") {
		return nil, fmt.Errorf("it does not end in # EOF")
	}
	families := map[string]*openFamily{}
	now := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		var err error
		if rest, meta := strings.CutPrefix(line, "# "); meta {
			now, err = parseMeta(families, now, rest)
		} else {
			err = parseSample(families, now, line)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	for name, f := range families {
		switch {
		case f.kind == "":
			return nil, fmt.Errorf("%s has no type", name)
		case f.unit != "" && !strings.HasSuffix(name, "_"+f.unit):
			return nil, fmt.Errorf("%s does not end in its unit, %s", name, f.unit)
		}
	}
	return families, nil
}

func parseMeta(families map[string]*openFamily, now, rest string) (string, error) {
	words := strings.SplitN(rest, " ", 3)
	if len(words) != 3 || !openName.MatchString(words[1]) {
		return now, fmt.Errorf("no metadata")
	}
	name := words[1]
	f := families[name]
	if name != now {
		if f != nil {
			return now, fmt.Errorf("the family is in two pieces")
		}
		f = &openFamily{samples: map[string]float64{}}
		families[name] = f
	}
	if len(f.samples) > 0 {
		return now, fmt.Errorf("metadata after samples")
	}
	to := map[string]*string{"TYPE": &f.kind, "UNIT": &f.unit, "HELP": &f.help}[words[0]]
	if to == nil || *to != "" {
		return now, fmt.Errorf("unknown, or twice")
	}
	if words[0] == "TYPE" && openSuffixes[words[2]] == nil {
		return now, fmt.Errorf("no type that we write")
	}
	*to = words[2]
	return name, nil
}

func parseSample(families map[string]*openFamily, now, line string) error {
	found := openSample.FindStringSubmatch(line)
	if found == nil || now == "" || !openNumber.MatchString(found[3]) {
		return fmt.Errorf("no sample")
	}
	suffix, ok := strings.CutPrefix(found[1], now)
	f := families[now]
	if !ok || !slices.Contains(openSuffixes[f.kind], suffix) {
		return fmt.Errorf("not of %s, a %s", now, f.kind)
	}
	labels, err := parseLabels(found[2])
	if err != nil {
		return err
	}
	_, quantile := labels["quantile"]
	if quantile != (f.kind == "summary" && suffix == "") {
		return fmt.Errorf("a quantile, or none, where it may not be")
	}
	value, err := strconv.ParseFloat(found[3], 64)
	if err != nil || value < 0 && (suffix != "" || quantile) {
		return fmt.Errorf("no number, or below 0")
	}
	key := suffix
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		key += "{" + name + "=" + labels[name] + "}"
	}
	if _, twice := f.samples[key]; twice {
		return fmt.Errorf("the same labels twice")
	}
	f.samples[key] = value
	return nil
}

func parseLabels(text string) (map[string]string, error) {
	labels := map[string]string{}
	if text == "" {
		return labels, nil
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	for text != "" {
		found := openLabel.FindStringSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("no labels: %q", text)
		}
		if _, twice := labels[found[1]]; twice {
			return nil, fmt.Errorf("a label twice")
		}
		labels[found[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(found[2])
		text = text[len(found[0]):]
		if text == "" && found[3] == "," {
			return nil, fmt.Errorf("a comma at the end")
		}
	}
	return labels, nil
}
