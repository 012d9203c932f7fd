// Package mcp lets assistants query a world through the Model Context Protocol
// (modelcontextprotocol.io): each tool is a request of an inspector, with its bounds, and answers
// in plain text. An Inspector serves a [Server] at /debug/ecs/mcp; docs/ASSISTANTS.md shows
// questions and answers.
//
//	assistant ── tools/call, JSON-RPC ──▶ Server ── GET, POST /debug/ecs/api/… ──▶ inspector
//	          ◀───────── text ──────────         ◀──────────── JSON ─────────────
//
// The protocol is implemented by hand, because only four methods are needed. The id of a session is
// the token of the inspector's page: pages of other sites cannot read it, so they can call no tool.
package mcp

import (
	"bytes"
	"context"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// A Server handles posted messages, behind the guard of an inspector.
type Server struct {
	API   http.Handler // answers /debug/ecs/api/…
	Token string       // required for posts
	May   []string     // abilities of the inspector: "edit", "hunt", "past", "why"
}

const (
	session    = "Mcp-Session-Id"
	maxMessage = 64 << 10 // bytes
	maxQuery   = 2 << 10  // bytes of a GET request's query
)

// A message is a request of JSON-RPC 2.0; without an ID, a notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Version   string         `json:"protocolVersion"`
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"params"`
}

// ServeHTTP answers a posted message with JSON. It does not support streams.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	m, d := message{}, json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	id := []byte(r.Header.Get(session))
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "there is no stream; post messages", http.StatusMethodNotAllowed)
	case kind != "application/json":
		http.Error(w, "messages are application/json", http.StatusUnsupportedMediaType)
	case err != nil:
		http.Error(w, "a message has 64 KB at most", http.StatusRequestEntityTooLarge)
	case !json.Valid(text):
		fail(w, nil, -32700, "this is no JSON; send one request, in JSON")
	case d.Decode(&m) != nil || m.Method == "":
		fail(w, m.ID, -32600, "this is no request; send one object, with a method")
	case m.Method == "initialize":
		w.Header().Set(session, s.Token)
		s.answer(w, r, &m)
	case !slices.Contains([]string{"ping", "tools/list", "tools/call"}, m.Method) && m.ID != nil:
		fail(w, m.ID, -32601, "there are initialize, ping, tools/list and tools/call")
	case len(id) == 0:
		http.Error(w, "initialize first, and send "+session, http.StatusBadRequest)
	case subtle.ConstantTimeCompare(id, []byte(s.Token)) != 1:
		http.Error(w, "the program was started anew; initialize", http.StatusNotFound)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		s.answer(w, r, &m)
	}
}

// reply writes a result or an error.
func reply(w http.ResponseWriter, id json.RawMessage, what string, x any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": id, what: x})
}

// fail writes an error with a JSON-RPC 2.0 code.
func fail(w http.ResponseWriter, id json.RawMessage, code int, text string) {
	reply(w, id, "error", map[string]any{"code": code, "message": text})
}

// answer answers a request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, m *message) {
	var result any = struct{}{} // for ping
	switch m.Method {
	case "initialize":
		begin := maps.Clone(known().Begin)
		newest := begin["protocolVersion"].(string)
		if v := m.Params.Version; len(v) == len(newest) && v < newest {
			begin["protocolVersion"] = v // this version has the same methods
		}
		result = begin
	case "tools/list":
		denied := func(t tool) bool { return !s.has(&t) }
		all := slices.DeleteFunc(slices.Clone(known().Tools), denied)
		result = map[string]any{"tools": all}
	case "tools/call":
		n := slices.IndexFunc(known().Tools, func(t tool) bool { return t.Name == m.Params.Name })
		if n < 0 {
			fail(w, m.ID, -32602, fmt.Sprintf("there is no tool %.40q", m.Params.Name))
			return
		}
		text, err := s.call(r.Context(), &known().Tools[n], m.Params.Arguments)
		if err != nil {
			text = err.Error()
		}
		content := []any{map[string]string{"type": "text", "text": text}}
		result = map[string]any{"isError": err != nil, "content": content}
	}
	reply(w, m.ID, "result", result)
}

// A tool is one request of the inspector, as described in tools.json and by the protocol.
type tool struct {
	Name   string `json:"name"`
	About  string `json:"description"`
	Schema struct {
		Type       string                    `json:"type"`
		Properties map[string]map[string]any `json:"properties"`
		Required   []string                  `json:"required"`
	} `json:"inputSchema"`
	Hints map[string]bool `json:"annotations"`
	Meta  struct {
		Needs   string   `json:"needs"`   // an element of Server.May, or empty
		Request []string `json:"request"` // method, name below api, op, flags that are set
	} `json:"_meta"`
}

//go:embed tools.json
var toolsText []byte

// A protocol is the content of tools.json.
type protocol struct {
	Begin map[string]any `json:"initialize"`
	Tools []tool         `json:"tools"`
}

// known parses the protocol on first use.
var known = sync.OnceValue(func() (k protocol) {
	if err := json.Unmarshal(toolsText, &k); err != nil {
		panic(err) // the embedded file is invalid
	}
	return k
})

func (s *Server) has(t *tool) bool {
	return t.Meta.Needs == "" || slices.Contains(s.May, t.Meta.Needs)
}

// call runs a tool, and returns its answer as text. The error says which arguments are valid.
func (s *Server) call(ctx context.Context, t *tool, given map[string]any) (string, error) {
	if !s.has(t) {
		return "", fmt.Errorf("this program does not allow %s; set inspect.Options: %s, "+
			"or start flatecs with --inspect-edit", t.Name, t.Meta.Needs)
	}
	all := t.Schema.Properties
	for name := range given {
		if all[name] == nil {
			return "", fmt.Errorf("%s has no argument %.40q; it has: %s", t.Name, name,
				strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
	}
	for _, name := range t.Schema.Required {
		if given[name] == nil {
			return "", fmt.Errorf("%s needs %s: %v", t.Name, name, all[name]["description"])
		}
	}
	q, wish := url.Values{}, map[string]any{}
	if all["size"] != nil {
		q.Set("size", "20")
	}
	for name, x := range given {
		q.Set(name, fmt.Sprint(x))
		wish[name] = x
	}
	for n, word := range t.Meta.Request[2:] {
		if n == 0 {
			wish["op"] = word
		} else {
			wish[word] = true
		}
	}
	body, _ := json.Marshal(wish) // cannot fail: it was decoded from JSON
	return s.ask(ctx, t.Meta.Request, q, body)
}

// ask sends a request to the inspector. It returns the inspector's message as the error.
func (s *Server) ask(
	ctx context.Context, request []string, q url.Values, body []byte,
) (string, error) {
	target := "/debug/ecs/api/" + request[1] + "?" + q.Encode()
	if n := len(q.Encode()); n > maxQuery && request[0] == http.MethodGet {
		return "", fmt.Errorf("the arguments have %d bytes, as in a URL; give %d", n, maxQuery)
	}
	if request[0] == http.MethodPost {
		target = "/debug/ecs/api/" + request[1]
	}
	r, err := http.NewRequestWithContext(ctx, request[0], target, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Token", s.Token)
	w := &written{header: http.Header{}}
	s.API.ServeHTTP(w, r)
	if w.status == 0 {
		return textOf(w.Bytes())
	}
	var refused struct{ Error string }
	_ = json.Unmarshal(w.Bytes(), &refused)
	return "", errors.New(refused.Error)
}

// A written is an answer in memory.
type written struct {
	bytes.Buffer
	header http.Header
	status int // 0: OK
}

func (w *written) Header() http.Header    { return w.header }
func (w *written) WriteHeader(status int) { w.status = status }
