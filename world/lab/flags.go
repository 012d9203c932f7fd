package lab

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Flags are the flags of a program whose sweep is divided among many machines:
//
//	program --part 0/100 --journal parts/0     # and so on; a killed part resumes
//	program --join parts                       # the table
//
// Call Join, and then give the [Sweep] its Part, Parts and Journal.
type Flags struct {
	Part, Parts  int
	Journal, Dir string // a file; the folder to join, or empty
}

// Add adds the flags.
func (f *Flags) Add(set *flag.FlagSet) {
	set.Func("part", "make part `i/n` of the runs, from 0/n", func(text string) (err error) {
		f.Part, f.Parts, err = ParsePart(text)
		return err
	})
	set.StringVar(&f.Journal, "journal", "", "`file` of finished runs, from which a part resumes")
	set.StringVar(&f.Dir, "join", "", "`folder` of the journals of all parts, to be joined")
}

// Join joins the journals in Dir, if it is set, into Journal, by default Dir/.joined, and returns
// the number of missing runs; see [JoinJournals]. It ignores files whose names begin with a dot.
func (f *Flags) Join() (missing int, err error) {
	if f.Dir == "" {
		return 0, nil
	}
	var parts []string
	files, err := os.ReadDir(f.Dir)
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), ".") {
			parts = append(parts, filepath.Join(f.Dir, file.Name()))
		}
	}
	if len(parts) == 0 || f.Parts > 0 {
		return 0, errors.Join(err, fmt.Errorf("lab: --join %s: no journals are there, or --part "+
			"is given, too; run the parts first", f.Dir))
	}
	f.Journal = cmp.Or(f.Journal, filepath.Join(f.Dir, ".joined"))
	return JoinJournals(f.Journal, parts...)
}

// ParsePart parses i/n, a part and the number of parts.
func ParsePart(text string) (part, parts int, err error) {
	i, n, _ := strings.Cut(text, "/")
	part, err = strconv.Atoi(i)
	if parts, _ = strconv.Atoi(n); err != nil || part < 0 || part >= parts {
		return 0, 0, fmt.Errorf("lab: part %q; give i/n: 0/8 to 7/8 for eight parts", text)
	}
	return part, parts, nil
}
