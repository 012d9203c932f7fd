package inspect_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An openFamily is a family of an OpenMetrics text, as parseOpenMetrics reads it.
type openFamily struct {
	kind, unit string
	samples    map[string]float64 // by suffix and labels
}

const label = `[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"`

var (
	openHead = regexp.MustCompile(`^# TYPE ([a-z][a-z0-9_]*) (gauge|counter|summary)\n` +
		`(?:# UNIT ([a-z0-9_]+) ([a-z]+)\n)?# HELP ([a-z0-9_]+) [^\n]+\n`)
	openSample = regexp.MustCompile(`^([a-z0-9_]+?)(_total|_sum|_count)?` +
		`(\{` + label + `(?:,` + label + `)*\})? ([0-9][0-9.e+]*)\n`)
	openLabel = regexp.MustCompile(`([a-z_]+)="((?:[^"\\\n]|\\.)*)"`)
	unescape  = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// parseOpenMetrics reads families as we write them, a part of what the standard's grammar allows:
// each with its type, unit and help before its samples, in one piece, and an end that says so.
func parseOpenMetrics(text string) (map[string]*openFamily, error) {
	families := map[string]*openFamily{}
	for text != "# EOF\n" {
		head := openHead.FindStringSubmatch(text)
		if len(head) == 0 || head[5] != head[1] || head[4] != "" && head[3] != head[1] ||
			!strings.HasSuffix(head[1], head[4]) || families[head[1]] != nil {
			return nil, fmt.Errorf("no head, or that of a family twice: %.200q", text)
		}
		f := &openFamily{head[2], head[4], map[string]float64{}}
		families[head[1]], text = f, text[len(head[0]):]
		for !strings.HasPrefix(text, "# ") {
			found := openSample.FindStringSubmatch(text)
			if len(found) == 0 || found[1] != head[1] || (found[2] == "_total") != (f.kind == "counter") ||
				(found[2] == "_sum" || found[2] == "_count") && f.kind != "summary" {
				return nil, fmt.Errorf("no sample of %s, a %s: %.200q", head[1], f.kind, text)
			}
			key, quantile := found[2], false
			for _, l := range openLabel.FindAllStringSubmatch(found[3], -1) {
				key += "{" + l[1] + "=" + unescape.Replace(l[2]) + "}"
				quantile = quantile || l[1] == "quantile"
			}
			value, err := strconv.ParseFloat(found[4], 64)
			_, twice := f.samples[key]
			if err != nil || twice || quantile != (f.kind == "summary" && found[2] == "") {
				return nil, fmt.Errorf("no number, or twice, or a quantile: %.200q", text)
			}
			f.samples[key], text = value, text[len(found[0]):]
		}
	}
	return families, nil
}
