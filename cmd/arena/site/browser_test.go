//go:build browser && !js

package site

import (
	"context"
	"fmt"
	"image"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// serving is the address at which this program serves a room, as one that a test kills.
const serving = "ARENA_TEST_SERVING"

// TestMain ends the browser after the tests.
func TestMain(m *testing.M) {
	if address := os.Getenv(serving); address != "" {
		serveAt(address)
	}
	os.Exit(browse.Main(m))
}

func serveAt(address string) {
	at := world.Must(net.ResolveUDPAddr("udp", address))
	o := Options{Players: 9, Bots: 3, Seed: 1, Page: func() (server.Program, error) {
		return server.Build(context.Background(), Program, nil)
	}}
	o.QUIC, _ = net.ListenUDP("udp", at)
	room := world.Must(New(o, server.Program{}))
	go func() { panic(http.ListenAndServe(address, room)) }()
	panic(room.Run(context.Background()))
}

// A page fills any screen: its own tank is in the middle of a ring, its parts cover no others, and
// nothing is wrong.
func TestPageFitsScreens(t *testing.T) {
	program := world.Must(server.Build(t.Context(), Program, nil))
	url := open(t, Options{Players: 9, Bots: 3, Seed: 1, Reveal: true}, program)
	for _, wide := range []int64{390, 1280} {
		for _, dense := range []float64{1, 2} {
			name := fmt.Sprintf("arena-%d-%v", wide, dense)
			t.Run(name, func(t *testing.T) {
				b := browse.Open(t, "about:blank", "", wide, 800, chromedp.EmulateScale(dense),
					chromedp.EmulateTouch)
				require.NoError(t, chromedp.Listen(b.Ctx, func(event any) {
					if e, is := event.(*log.EventEntryAdded); is {
						t.Error(e.Entry.Text, e.Entry.URL)
					}
				}))
				require.NoError(t, chromedp.Do(b.Ctx, chromedp.Navigate(url)))
				b.Until(`globalThis.arena?.now?.armour > 0`)
				b.Until(`(document.querySelector("#reveal input").click(), true)`)
				b.Until(`document.querySelector("#banner").hidden && !document.querySelector("#all").hidden`)
				picture := b.Shot(name)
				size := picture.Bounds().Size()
				assert.Equal(t, image.Pt(int(wide*int64(dense)), int(800*dense)), size)
				radius := 16.2 * float64(size.X) / browse.Value[float64](b, `arena.now.wide`)
				for _, to := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					at := size.Div(2).Add(image.Pt(int(radius)*to.X, int(radius)*to.Y))
					red, _, blue, _ := picture.At(at.X, at.Y).RGBA()
					assert.Greater(t, min(red, blue), uint32(0xc000), "a white ring at %v of %v", at, size)
				}
				assert.Empty(t, browse.Value[string](b, `(() => {
					const parts = [...document.querySelectorAll("header, footer > *")]
						.map((e) => [e, e.getBoundingClientRect()]).filter(([, a]) => a.width > 0);
					return parts.filter(([e, a], n) => a.left < 0 || a.right > innerWidth ||
						a.bottom > innerHeight || parts.some(([, b], i) => i < n && a.left < b.right &&
							b.left < a.right && a.top < b.bottom && b.top < a.bottom))
						.map(([e]) => e.id || e.tagName).join();
				})()`), "parts that overlap")
			})
		}
	}
}

// A page whose server is killed says so within two seconds, and plays on when there is one again.
func TestPageOutlivesItsServer(t *testing.T) {
	free := world.Must(net.Listen("tcp", "127.0.0.1:0"))
	address := free.Addr().String()
	require.NoError(t, free.Close())
	var cmd *exec.Cmd
	begin := func() {
		cmd = exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serving+"="+address)
		require.NoError(t, cmd.Start())
	}
	end := func() {
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
	}
	begin()
	defer func() { end() }()
	for {
		answer, err := http.Get("http://" + address)
		if err == nil {
			require.NoError(t, answer.Body.Close())
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for n, without := range []string{"", "delete globalThis.WebTransport"} {
		b := browse.Open(t, "http://"+address, without, 390, 800)
		for _, dead := range []time.Duration{5 * time.Second, 20 * time.Second} {
			b.Until(`globalThis.arena?.now?.side >= 0 && document.querySelector("#banner").hidden`)
			tick := browse.Value[int](b, `arena.now.tick`)
			end()
			b.Until(`document.body.className === "lost" && /again/.test(document.querySelector("#banner").innerText)`)
			time.Sleep(dead)
			b.Shot(fmt.Sprint("arena-lost-", n))
			begin()
			b.Until(`document.body.className === "" && document.querySelector("#banner").hidden`)
			assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
			b.Until(fmt.Sprint(`arena.now.tick !== `, tick))
		}
	}
}

// Two browsers play over links that delay by 75 ms each way and lose one datagram in twenty, one
// over WebTransport, one without it, and a program over UDP. The browsers are on both sides. All
// tanks are the server's, to the bit, when they rest. Ten minutes of it:
//
//	cd cmd; go test -tags=browser ./arena/site -run Browsers -v -timeout 1h \
//		-args -lasting 10m -patience 15m
func TestTwoBrowsersPlay(t *testing.T) {
	program := world.Must(server.Build(t.Context(), Program, nil))
	socket := world.Must(net.ListenUDP("udp", nil))
	url := open(t, Options{
		Players: 64, Bots: 20, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 3, Seed: 1}, UDP: socket,
		Reveal: true,
	}, program)
	var tabs []browse.Tab
	for _, of := range [][2]string{
		{"", "WebTransport"}, {"delete globalThis.WebTransport", "WebSocket"},
	} {
		b := browse.Open(t, url+"/?pilot", of[0], 1280, 800)
		b.Until(`globalThis.arena?.now?.side >= 0`)
		assert.Equal(t, of[1], browse.Value[string](b, `arena.now.over`),
			browse.Value[string](b, `arena.now.fell ?? ""`))
		tabs = append(tabs, b)
	}
	for i, b := range tabs {
		b.Until(`arena.now.sees > 0`)
		b.Shot("arena-" + []string{"first", "second"}[i])
		assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
	}
	// A tab that was silent for too long, as on a busy machine, has left: a new client has its
	// number, and its own page shows the previous side until it reconnects.
	require.Eventually(t, func() bool {
		return browse.Value[int](tabs[0], `arena.now.side`)+browse.Value[int](tabs[1], `arena.now.side`) == 1
	}, time.Minute, 100*time.Millisecond, "the browsers are on both sides")
	rounds, last := 0, overUDP(t, url)
	for began := time.Now(); rounds == 0 || time.Since(began) < *lasting; rounds++ {
		for stop := time.Now().Add(min(*lasting, 20*time.Second)); time.Now().Before(stop); {
			last.frame(t, (*arena.Player).Pilot)
		}
		togglePilots(tabs)
		for _, own := range []func() string{
			func() string { return browse.Value[string](tabs[0], `arena.now.own`) },
			func() string { return browse.Value[string](tabs[1], `arena.now.own`) },
			func() string { return last.Status().Tank() },
		} {
			rest(t, url, last, own)
		}
		togglePilots(tabs)
	}
	for _, b := range tabs {
		assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
	}
	t.Log(rounds, "times all tanks were the server's")
}

func togglePilots(tabs []browse.Tab) {
	for _, b := range tabs {
		browse.Value[bool](b, `(dispatchEvent(new KeyboardEvent("keydown", {code: "KeyP"})), true)`)
	}
}

// rest waits until the tank that a client has is one of the server's clients, while another one
// rests too: the bots are the first 20.
func rest(t *testing.T, url string, other program, own func() string) {
	t.Helper()
	equal := func() (is bool) {
		other.frame(t, func(*arena.Player) arena.Input { return 0 })
		for client := 20; client < 23 && !is; client++ {
			_, text := read(t, url+"/debug/ecs/api/client?number="+strconv.Itoa(client))
			is = strings.HasPrefix(text, "tank "+own())
		}
		return is
	}
	for end := time.Now().Add(time.Minute); !equal(); {
		require.True(t, time.Now().Before(end), "the tanks differ")
	}
}
