package manager

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// drawnCount is how the package's comment writes how many units a part has.
var drawnCount = map[extent]string{
	perPart: "%d bytes", perPool: "%d × p",
	perObject: "%d × n", perBlock: "%d × ⌈n/64⌉", perGroup: "%d × ⌈n/4096⌉",
	perRow: "%d × r", per64Rows: "%d × ⌈r/64⌉",
	perPage: "%d × min(r, ⌈n/64⌉)", perPage4: "%d × min(r, ⌈n/64⌉)",
	perPage16: "%d × min(r, ⌈n/64⌉)", perSize: "%d × 3", perSlot: "%d × 2ᵏ, 2ᵏ ≥ 2 × r",
}

// TestCommentDrawsEveryPart: the package's comment has a line for every part, with its size, in
// the order in which they lie, and no other.
func TestCommentDrawsEveryPart(t *testing.T) {
	text := sure(os.ReadFile("doc.go"))
	line := regexp.MustCompile(`(?m)^//\t(\w+(?: \w+)*)  +(\S.*?)(?:  .*)?$`)
	var got []string
	for _, m := range line.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[2], "×") || strings.HasSuffix(m[2], " bytes") {
			got = append(got, m[1]+": "+m[2])
		}
	}
	want := []string{"header: 8 bytes"}
	add := func(parts []Part) {
		for _, p := range parts {
			want = append(want, p.Name+": "+fmt.Sprintf(drawnCount[p.per], p.Unit))
		}
	}
	add(objectParts)
	want = append(want, "room: 8 × p × ⌈n/4096⌉", "kinds: 8 × ⌈k/64⌉ × ⌈n/64⌉", "settled: 8 × ⌈n/64⌉",
		"turns: 8 × p")
	want = append(want, "eights: 8 × ⌈k/64⌉ × 8⌈n/64⌉")
	add(byBlockParts)
	want = append(want, "columns: r × stride each")
	add(groupParts)
	add(rowParts)
	want = append(want, "columns: r × stride each")
	add(blockParts)
	add(keyParts)
	add(watcherParts)
	require.Equal(t, want, got)
	require.Len(t, worldParts, 1)
}
