package world_test

import (
	"io"
	"net"
	"reflect"
	"runtime"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/share"
)

// handFuncs are the exported functions of worlds that other programs see or take over.
var handFuncs = map[string]any{
	"share.Publish":          share.Publish,
	"share.PublishMemory":    share.PublishMemory,
	"share.Publisher.File":   (*share.Publisher).File,
	"share.Publisher.Offer":  (*share.Publisher).Offer,
	"share.Publisher.Counts": (*share.Publisher).Counts,
	"share.Publisher.Close":  (*share.Publisher).Close,
	"share.Open":             share.Open,
	"share.OpenAny":          share.OpenAny,
	"share.OpenFile":         share.OpenFile,
	"share.Reader.Head":      (*share.Reader).Head,
	"share.Reader.Latest":    (*share.Reader).Latest,
	"share.Reader.Writing":   (*share.Reader).Writing,
	"share.Reader.Pin":       (*share.Reader).Pin,
	"share.Reader.Close":     (*share.Reader).Close,
	"share.Frame.Number":     (*share.Frame).Number,
	"share.Frame.State":      (*share.Frame).State,
	"share.Frame.Unpin":      (*share.Frame).Unpin,
	"hand.Join":              joinQuietly,
	"hand.Event.String":      hand.Event.String,
	"hand.Hand.World":        (*hand.Hand).World,
	"hand.Hand.Continue":     (*hand.Hand).Continue,
	"hand.Hand.Ready":        (*hand.Hand).Ready,
	"hand.Hand.Code":         (*hand.Hand).Code,
	"hand.Hand.Report":       (*hand.Hand).Report,
	"hand.Hand.Supervised":   (*hand.Hand).Supervised,
	"hand.Hand.Undo":         (*hand.Hand).Undo,
	"hand.Hand.Listen":       (*hand.Hand).Listen,
	"hand.Hand.OnOffer":      (*hand.Hand).OnOffer,
	"hand.Hand.Conns":        (*hand.Hand).Conns,
	"hand.Hand.File":         (*hand.Hand).File,
	"hand.Hand.Bytes":        (*hand.Hand).Bytes,
	"hand.Hand.NewTape":      (*hand.Hand).NewTape,
	"hand.Hand.Close":        (*hand.Hand).Close,
	"hand.Offer.Conn":        (*hand.Offer).Conn,
	"hand.Offer.File":        (*hand.Offer).File,
	"hand.Offer.Bytes":       (*hand.Offer).Bytes,
	"hand.Offer.OnRefused":   (*hand.Offer).OnRefused,
	"hand.Tape.Next":         (*hand.Tape).Next,
	"hand.Tape.Loop":         (*hand.Tape).Loop,
	"hand.Tape.Looping":      (*hand.Tape).Looping,
	"hand.Tape.Records":      (*hand.Tape).Records,
	"hand.Tape.Close":        (*hand.Tape).Close,
}

// notMisused are functions that start programs, or play without end.
var notMisused = []string{"hand.Main", "hand.Supervise", "hand.Hand.Run"}

// joinQuietly is hand.Join, which leaves the signals to the tests.
func joinQuietly(o hand.Options) (*hand.Hand, error) {
	o.Signals, o.Out = true, io.Discard
	return hand.Join(o)
}

func listHands(all map[reflect.Type]listing) {
	list(all, func(*room) net.Conn {
		c, _ := net.Pipe()
		return c
	}, nil)
	list(all, func(*room) hand.Options { return hand.Options{} }, nil)
	join := func(*room) *hand.Hand { return world.Must(joinQuietly(hand.Options{})) }
	list(all, join, bads{"closed": func(g *room) any {
		h := join(g)
		h.Close()
		return h
	}})
	list(all, func(g *room) *hand.Tape { return world.Must(join(g).NewTape(g.s, 60, 1)) }, nil)
	list(all, publisher, bads{"closed": func(g *room) any {
		p := publisher(g)
		_ = p.Close()
		return p
	}})
	list(all, onlooker, bads{"closed": func(g *room) any {
		r := onlooker(g)
		_ = r.Close()
		return r
	}})
	list(all, func(g *room) *share.Frame {
		if runtime.GOOS != "linux" {
			return nil
		}
		return world.Must(onlooker(g).Pin())
	}, nil)
}

// shown returns a world that can be shown: one without Go values.
func shown() world.State {
	return world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(busyMixed.Count(3))}))
}

func publisher(g *room) *share.Publisher {
	if runtime.GOOS != "linux" {
		return nil
	}
	s := shown()
	p := world.Must(share.PublishMemory(s, share.Options{}))
	g.later(func() { _ = p.Close() })
	if err := p.Offer(s); err != nil {
		panic(err)
	}
	return p
}

func onlooker(g *room) *share.Reader {
	if runtime.GOOS != "linux" {
		return nil
	}
	r := world.Must(share.OpenFile(publisher(g).File()))
	g.later(func() { _ = r.Close() })
	return r
}
