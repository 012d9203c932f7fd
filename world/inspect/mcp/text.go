package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const maxText = 30_000 // bytes of an answer

// omitted are members of answers that are rarely needed.
var omitted = strings.Fields("historyMs number bytes usedBytes now controls turns size ageMs " +
	"inspector high capacity inUse window lines loose full beside")

// A node is a JSON value: an object with its members in order, a list, or the text of another
// value.
type node struct {
	names []string // member names of an object
	list  []node   // nil: a text
	text  string
}

// textOf converts an answer to text, with one line per member and per entry of a list of objects.
func textOf(answer []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	n, err := read(d)
	n.rename(nil)
	text := strings.ReplaceAll(string(n.append(nil, 0)), ": \n-", ":\n-")
	if len(text) > maxText {
		end := strings.LastIndexByte(text[:maxText], '\n') + 1
		text = fmt.Sprintf("%s… %d of %d bytes; ask for fewer, by size, page or most\n", text[:end],
			end, len(text))
	}
	return text, err
}

// read decodes a value, without the omitted members.
func read(d *json.Decoder) (n node, err error) {
	token, err := d.Token()
	open, nested := token.(json.Delim)
	if err != nil || !nested {
		n.text = strings.Replace(fmt.Sprint(token), "<nil>", "none", 1)
		return n, err
	}
	for n.list = []node{}; d.More() && err == nil; {
		var name json.Token
		if open == '{' {
			name, _ = d.Token()
		}
		var member node
		member, err = read(d)
		switch text := fmt.Sprint(name); {
		case open == '[':
			n.list = append(n.list, member)
		case !slices.Contains(omitted, text) && (member.list != nil || member.text != ""):
			n.names, n.list = append(n.names, text), append(n.list, member)
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	return n, err
}

// take removes a member and returns it, or returns an empty text if it is missing.
func (n *node) take(name string) (member node) {
	if i := slices.Index(n.names, name); i >= 0 {
		member = n.list[i]
		n.names, n.list = slices.Delete(n.names, i, i+1), slices.Delete(n.list, i, i+1)
	}
	return member
}

// rename labels values with field names and objects with ids, which tools accept as arguments.
func (n *node) rename(fields []string) {
	if !slices.Contains(n.names, "mounted") && slices.Contains(n.names, "fields") {
		kind := n.list[slices.IndexFunc(n.names, func(s string) bool {
			return s == "kind" || s == "name"
		})].text
		fields = nil
		for _, f := range n.take("fields").list {
			name := kind + "." + f.take("name").text
			fields = append(fields, strings.TrimSuffix(name, "."+kind))
		}
	}
	if i := slices.Index(n.names, "values"); i >= 0 && len(n.list[i].list) == len(fields) {
		n.list[i].names = fields
	}
	for i := range n.list {
		n.list[i].rename(fields)
	}
	if index := n.take("index").text; index != "" {
		text := index + "v" + n.take("generation").text + " " + n.take("name").text
		id := node{text: strings.TrimSpace(text)}
		if len(n.list) == 0 {
			*n = id
			return
		}
		n.names, n.list = slices.Insert(n.names, 0, "object"), slices.Insert(n.list, 0, id)
	}
}

// append appends a node; members at depth 0 get lines of their own.
func (n *node) append(b []byte, depth int) []byte {
	open, between, end := "[", ", ", "]"
	switch nested := len(n.list) > 0 && n.list[0].names != nil; {
	case n.list == nil:
		return append(b, n.text...)
	case len(n.list) == 0:
		return append(b, "none"...)
	case depth == 0:
		open, between, end = "", "\n", "\n"
	case n.names == nil && depth == 1 && nested:
		open, between, end = "\n- ", "\n- ", ""
	case n.names == nil && len(n.list) == 1, n.names != nil && depth == 2:
		open, end = "", ""
	case n.names != nil:
		open, end = "{", "}"
	}
	b = append(b, open...)
	for i := range n.list {
		if i > 0 {
			b = append(b, between...)
		}
		if n.names != nil {
			b = append(append(b, n.names[i]...), ": "...)
		}
		b = n.list[i].append(b, depth+1)
	}
	return append(b, end...)
}
