package book

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	linked = regexp.MustCompile(`<[a-z]+\s[^>]*?\b(href|src|data-program|data-scene)="([^"]*)"`)
	named  = regexp.MustCompile(`<[a-z0-9]+\s[^>]*?\bid="([^"]*)"`)
)

// DeadLinks returns what is wrong with the links of pages, given all files of a site by name, and
// the names of those that others put beside them: links to files that are not there, to headings
// that the page does not have, and files that a page would load from another server.
func DeadLinks(files map[string][]byte, others []string) (dead []string) {
	ids := map[string][]string{}
	pages := []string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".html" {
			continue
		}
		pages = append(pages, name)
		for _, m := range named.FindAllSubmatch(files[name], -1) {
			ids[name] = append(ids[name], html.UnescapeString(string(m[1])))
		}
	}
	for _, name := range pages {
		for _, m := range linked.FindAllStringSubmatch(string(files[name]), -1) {
			link := html.UnescapeString(m[2])
			if why := deadLink(name, m[1], link, files, others, ids); why != "" {
				dead = append(dead, fmt.Sprintf("%s: %s=%q: %s", name, m[1], link, why))
			}
		}
	}
	return dead
}

// deadLink says why a link leads nowhere, or nothing.
func deadLink(
	from, attribute, link string,
	files map[string][]byte, others []string, ids map[string][]string,
) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "no address"
	case u.IsAbs() || u.Host != "":
		if attribute != "href" || u.Scheme != "https" && u.Scheme != "mailto" {
			return "loaded from elsewhere"
		}
		return ""
	case strings.HasPrefix(link, "/"):
		return "not relative"
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if files[to] == nil && !slices.Contains(others, to) {
		return "there is no such file"
	}
	if u.Fragment != "" && !slices.Contains(ids[to], u.Fragment) {
		return "there is no such heading"
	}
	return ""
}
