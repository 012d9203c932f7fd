package inspect

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html"
	"net/http"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// pageScripts are the page's scripts, in the order in which they run.
var pageScripts = []string{
	"words", "elements", "time", "figures", "tables", "stream", "graph", "kinds", "rows", "objects",
	"plots", "picture", "client", "resources", "view", "look", "compare", "why", "choices",
	"places",
}

// pageSource is the page with its style and its scripts, so that it is one file.
var pageSource = func() string {
	read := func(name string) string {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	var script strings.Builder
	for _, name := range pageScripts {
		script.WriteString("\n" + read(name+".js"))
	}
	return strings.NewReplacer("<style></style>", "<style>\n"+read("page.css")+"</style>",
		"<script></script>", "<script>"+script.String()+"</script>").Replace(read("page.html"))
}()

// servePage answers with the page. Its own script and style are all that the browser may run.
func (i *Inspector) servePage(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'; img-src data:; connect-src 'self'; "+
		"script-src '"+hashOf("script")+"'; style-src '"+hashOf("style")+"'")
	text := strings.Replace(pageSource, "<title></title>",
		"<title>"+html.EscapeString(i.options.Title)+" · inspector</title>", 1)
	if may := i.may(); may != "" {
		text = strings.Replace(text, `name="token" content=""`,
			`name="token" content="`+i.token+`"`, 1)
		text = strings.Replace(text, `name="may" content=""`, `name="may" content="`+may+`"`, 1)
	}
	_, _ = w.Write([]byte(text)) // a reader that is gone is no error of ours
}

// hashOf returns the hash of what is in the page's only element of a name.
func hashOf(element string) string {
	_, rest, _ := strings.Cut(pageSource, "<"+element+">")
	text, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
