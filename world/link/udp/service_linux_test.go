package udp_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/replica"
)

// The test binary is the server, too: a supervisor starts it, kills it, and has others follow it.

// What a tank has. Who drives it is in the world, so that it is known again.
var (
	spot    = layout.NewField[[2]float32]("spot")
	driver  = layout.NewField[uint64]("driver") // Client.ID
	born    = layout.NewField[uint64]("born")   // tick
	number  = layout.NewField[uint32]("number") // of the Conn
	vehicle = layout.NewKind("vehicle", spot, driver, born, number)
	tank    = world.NewRecipe("tank", vehicle)
	tanks   = world.NewQuery(world.Read(spot, driver, born, number))
	schema  = replica.NewSchema(tank,
		replica.Field(spot, replica.Fixed(0, 1024, 16).Delta().Owner(replica.Raw())),
		replica.Field(driver, replica.Raw().Once()), replica.Field(born, replica.Raw().Once()),
	)
)

const (
	served  = 8 // clients at most
	turnOf  = 10 * time.Millisecond
	lasting = 20 * time.Second // longer than anything takes
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := (&service{dir: os.Args[2]}).run(); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// drive is the step of a tank, of server and clients.
func drive(s world.State, id world.GameObject, input []byte) world.State {
	at, err := world.Get(s, id, spot)
	if err != nil {
		return s
	}
	at[0] = min(max(at[0]+float32(int8(input[0])), 0), 1000)
	return world.Must(world.Set(s, id, spot, at))
}

// A service is the server's program.
type service struct {
	dir      string
	state    world.State
	options  replica.Options
	server   *replica.Server
	listener *udp.Listener
	address  string
	ids      [served]uint64 // of clients, by the number of the Conn
	tanks    map[uint64]world.GameObject
	conns    map[uint64]*replica.Conn
}

func (v *service) run() error {
	h, err := hand.Join(hand.Options{Out: io.Discard})
	if err != nil {
		return err
	}
	counts := world.Counts{Kinds: layout.Kinds(vehicle.Count(served)), Recipes: []world.Recipe{tank}}
	if v.state, err = h.World(counts, nil); err != nil {
		return err
	}
	if err := v.open(h); err != nil {
		return err
	}
	h.Keep("server", func(dst []byte) []byte {
		v.note("copy")
		return v.server.AppendState(dst)
	})
	h.Keep("udp", v.listener.AppendState)
	h.Keep("address", func(dst []byte) []byte { return append(dst, v.address...) })
	h.OnOffer(v.offer)
	ticks := time.NewTicker(turnOf)
	for h.Continue(v.state) {
		v.tick()
		<-ticks.C
		if strings.HasSuffix(os.Args[0], "-panics") { // it has not finished a step
			for range 5 {
				for _, id := range v.tanks {
					v.state = drive(v.state, id, []byte{3})
				}
				v.tick()
				<-ticks.C
			}
			panic("as it was to")
		}
	}
	os.Exit(h.Code()) //nolint:revive // clients stay, so nothing is closed
	return nil
}

// open goes on where the program before was, if there was one.
func (v *service) open(h *hand.Hand) error {
	v.address = string(h.Bytes("address"))
	if v.address == "" {
		v.address = "127.0.0.1:0"
	}
	var socket *net.UDPConn
	var err error
	if f := h.File("udp"); f != nil {
		socket, err = udp.SocketOf(f)
	} else {
		socket, err = net.ListenUDP("udp4",
			net.UDPAddrFromAddrPort(netip.MustParseAddrPort(v.address)))
	}
	if err != nil {
		return err
	}
	v.address = socket.LocalAddr().String()
	err = os.WriteFile(filepath.Join(v.dir, "address"), []byte(v.address), 0o600)
	if err != nil {
		return err
	}
	var secret udp.Key
	b, err := os.ReadFile(filepath.Join(v.dir, "key"))
	copy(secret[:], b)
	if err != nil {
		return err
	}
	v.listener, err = udp.Listen(socket, udp.Options{
		Protocol: game, Key: secret, Clients: served, State: h.Bytes("udp"),
	})
	if err != nil {
		return err
	}
	v.options = replica.Options{Clients: served, Known: 16, Input: 1, Queries: []world.Query{tanks}}
	v.tanks, v.conns = map[uint64]world.GameObject{}, map[uint64]*replica.Conn{}
	b = h.Bytes("server")
	if b == nil {
		v.server = replica.NewServer(v.state, schema, v.options)
		return nil
	}
	return v.follow(b, lostIn(h.Lost()))
}

// lostIn is how many ticks may have been played in a time that is lost.
func lostIn(d time.Duration) int {
	if d == 0 {
		return 0
	}
	return int(d/turnOf) + 2
}

// follow goes on with the state of a server, whose clients' links come by Accept.
func (v *service) follow(state []byte, lost int) (err error) {
	if v.server, err = replica.ReadServer(v.state, schema, v.options, state, lost); err != nil {
		return err
	}
	clear(v.conns)
	for b := range tanks.In(v.state) {
		of, at := world.Column(b, driver), world.Column(b, number)
		for i := range of {
			v.tanks[of[i]], v.ids[at[i]] = b.ID(i), of[i]
		}
	}
	for c := range v.server.Conns() {
		v.conns[v.ids[c.Number()]] = c
	}
	return nil
}

// offer hands the socket over.
func (v *service) offer(o *hand.Offer) error {
	f, err := v.listener.Pause()
	if err != nil {
		return err
	}
	defer f.Close()
	since := time.Now()
	o.OnRefused(func() { // the next one may have sent
		v.server.Skip(lostIn(time.Since(since)))
		v.listener.Resume()
	})
	return o.File("udp", f)
}

func (v *service) tick() {
	s := world.Advance(v.state)
	for l, ok := v.listener.Accept(); ok; l, ok = v.listener.Accept() {
		if c := v.conns[l.ID()]; c != nil {
			c.Resume(l)
		} else if c := v.server.Accept(l); c != nil {
			v.ids[c.Number()] = l.ID()
		}
	}
	for c := range v.server.Joined() {
		id := v.ids[c.Number()]
		v.note("joined %d", id)
		s, v.tanks[id] = world.Must2(world.Spawn(s, tank, driver.Value(id), born.Value(world.Tick(s)),
			number.Value(uint32(c.Number())), spot.Value([2]float32{500, float32(id)})))
		v.conns[id] = c
	}
	for c := range v.server.Gone() {
		v.note("gone %d", v.ids[c.Number()])
	}
	for c, in := range v.server.Inputs() {
		s = drive(s, v.tanks[v.ids[c.Number()]], in.Bytes)
	}
	v.state = v.server.Send(s, func(w *replica.View, c *replica.Conn) {
		w.Own(v.tanks[v.ids[c.Number()]])
		w.Query(tanks, 1)
	})
	v.listener.Flush()
	v.note("%d %v", os.Getpid(), picture(v.state))
}

// note writes a line.
func (v *service) note(format string, args ...any) {
	f, err := os.OpenFile(filepath.Join(v.dir, "says"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, format+"\n", args...)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		panic(err)
	}
}

// picture returns what is in a world, places as they travel.
func picture(s world.State) (all []string) {
	for b := range tanks.In(s) {
		for i, of := range world.Column(b, driver) {
			at := world.Column(b, spot)[i]
			all = append(all, fmt.Sprintf("%d/%d/%.0f/%.0f", of, world.Column(b, born)[i],
				math.Round(float64(at[0])), math.Round(float64(at[1]))))
		}
	}
	slices.Sort(all)
	return all
}
