package inspect

import (
	"embed"
	"net/http"
	"strings"

	"github.com/flatecs/flatecs/world/internal/onepage"
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
	changes := []string{}
	if may := i.may(); may != "" {
		changes = []string{
			`name="token" content=""`, `name="token" content="` + i.token + `"`,
			`name="may" content=""`, `name="may" content="` + may + `"`,
		}
	}
	onepage.Serve(w, pageSource, i.options.Title+" · inspector", changes...)
}
