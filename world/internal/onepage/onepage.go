// Package onepage serves pages that are one file, with their style and their script inside.
package onepage

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"strings"
)

// Serve answers with a page, whose source has an empty title. Browsers run its own script and style
// and nothing else. Changes are pairs of old and new texts outside of these two.
func Serve(w http.ResponseWriter, source, title string, changes ...string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'; img-src data:; connect-src 'self'; "+
		"script-src '"+hashOf(source, "script")+"'; style-src '"+hashOf(source, "style")+"'")
	changes = append(changes, "<title></title>", "<title>"+html.EscapeString(title)+"</title>")
	for i := 0; i < len(changes); i += 2 {
		source = strings.Replace(source, changes[i], changes[i+1], 1)
	}
	_, _ = w.Write([]byte(source)) // a reader that is gone is no error of ours
}

// hashOf returns the hash of what is in the page's only element of a name.
func hashOf(source, element string) string {
	_, rest, _ := strings.Cut(source, "<"+element+">")
	text, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
