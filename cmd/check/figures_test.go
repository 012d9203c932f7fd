package main

import "testing"

func TestStrayFigures(t *testing.T) {
	const marked = "```sh\ngo test\n```\n\n<!-- figures -->\n\n3 ns\n\n<!-- end of figures -->\n"
	cases := []struct {
		name string
		text string
		want []string
	}{
		{"none", "One of 1,024 objects, in Ark 0.8.3, of `1.5 ns`.\n", nil},
		{"below a command", marked, nil},
		{"in a block", "```sh\nsleep 1.5 # 3 ns\n```\n", nil},
		{"a time", "It takes 3 ns.\n", []string{"docs/PERFORMANCE.md:1: \"3 ns.\" is a figure"}},
		{"a fraction", "It is .97 of it.\n", []string{":1: \".97\" is a figure"}},
		{"times", marked + "\n1.9 times\n", []string{":11: \"1.9\" is a figure"}},
		{"a ratio", "3 × Ark\n", []string{"is a figure"}},
		{"a share", "17 %\n", []string{"is a figure"}},
		{"a table", "| n | a |\n|---:|---:|\n", []string{":2: \"---:|\" is a figure"}},
		{
			"no command", "<!-- figures -->\n3 ns\n<!-- end of figures -->\n",
			[]string{":1: figures without a command"},
		},
		{
			"prose between", "```sh\na\n```\nthus\n<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":5: figures without a command"},
		},
		{
			"another block", "```go\na\n```\n<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":4: figures without a command"},
		},
		{
			"twice below one", marked + "<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":10: figures without a command"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			expect(t, strayFigures(plant(t, files{"docs/PERFORMANCE.md": c.text})), c.want)
		})
	}
	expect(t, strayFigures(plant(t, files{"docs/OTHER.md": "3 ns\n"})), nil)
}
