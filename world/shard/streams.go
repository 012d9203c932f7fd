package shard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	safeReplicas         = 3     // in a cluster: messages survive the loss of a server
	replicasNeedACluster = 10074 // an error of NATS
	streamIsNotCreated   = 10049 // an error of NATS; its text has the reason
)

// streams opens the streams and stores of a simulation. It sets only the configuration that shards
// rely on, and may add replicas; other settings of the servers' operators stay.
type streams struct {
	js       jetstream.JetStream
	name     string
	replicas int // at least; 0: unchanged
	log      *slog.Logger
}

// names returns the names of the streams of messages, of keys and of snapshots.
func (o *streams) names() [3]string {
	return [3]string{o.name, "KV_" + o.name, "OBJ_" + o.snapshots()}
}

func (o *streams) snapshots() string { return o.name + "-snapshots" }

// askLeader makes the leader of a cluster answer reads: other servers may lag behind, and leases,
// pointers and snapshots are read just after they were written.
func askLeader(c *jetstream.StreamConfig) { c.AllowDirect = false }

// keys opens the bucket of leases, pointers and the charter.
func (o *streams) keys(ctx context.Context) (jetstream.KeyValue, error) {
	err := o.ensure(ctx, o.names()[1], func() error {
		_, err := o.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: o.name, Replicas: o.replicas,
		})
		return err
	}, askLeader)
	if err != nil {
		return nil, err
	}
	return o.js.KeyValue(ctx, o.name)
}

// store opens the store of snapshots.
func (o *streams) store(ctx context.Context) (jetstream.ObjectStore, error) {
	err := o.ensure(ctx, o.names()[2], func() error {
		_, err := o.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: o.snapshots(), Replicas: o.replicas,
		})
		return err
	}, askLeader)
	if err != nil {
		return nil, err
	}
	return o.js.ObjectStore(ctx, o.snapshots())
}

// messages opens the stream of messages, inputs and plans.
func (o *streams) messages(ctx context.Context) (jetstream.Stream, error) {
	set := func(c *jetstream.StreamConfig) {
		c.Subjects = []string{o.name + ".m.>", o.name + ".i.>", o.name + ".p.>"}
		c.AllowDirect = true

		// The server refuses a second message of a subject, from any sender.
		c.MaxMsgsPerSubject, c.Discard, c.DiscardNewPerSubject = 1, jetstream.DiscardNew, true

		c.RePublish = &jetstream.RePublish{Source: o.name + ".m.>", Destination: o.name + ".r.>"}
	}
	err := o.ensure(ctx, o.name, func() error {
		c := jetstream.StreamConfig{
			Name: o.name, Storage: jetstream.FileStorage, Replicas: o.replicas,
		}
		set(&c)
		_, err := o.js.CreateStream(ctx, c)
		return err
	}, set)
	if err != nil {
		return nil, err
	}
	return o.js.Stream(ctx, o.name)
}

// ensure creates a stream if there is none, or lets change adapt the existing one.
func (o *streams) ensure(
	ctx context.Context, name string, create func() error, set func(*jetstream.StreamConfig),
) error {
	stream, err := o.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if err = create(); err == nil {
			stream, err = o.js.Stream(ctx, name)
		}
	}
	if err == nil {
		is := stream.CachedInfo().Config
		c := is
		set(&c)
		if c.Replicas = max(is.Replicas, o.replicas); !reflect.DeepEqual(c, is) {
			_, err = o.js.UpdateStream(ctx, c)
		}
	}
	switch code(err) {
	case replicasNeedACluster:
		return finalError{fmt.Errorf("%w: Replicas %d: %w", ErrOptions, o.replicas, err)}
	case streamIsNotCreated: // each retry would add a line to the server's log
		return finalError{fmt.Errorf("%w for stream %s, or cannot write its folder: %w; the "+
			"server's log names it; make room there, and start all again", ErrNoRoom, name, err)}
	}
	return err
}

// warn logs streams of a cluster that do not survive the loss of a server.
func (o *streams) warn(ctx context.Context) error {
	for _, name := range o.names() {
		stream, err := o.js.Stream(ctx, name)
		if err != nil {
			return err
		}
		info := stream.CachedInfo()
		if n := info.Config.Replicas; info.Cluster != nil && info.Cluster.Name != "" &&
			n < safeReplicas {
			o.log.Warn("a lost server may be the only one that has a stream; give Replicas",
				"stream", name, "replicas", n, "recommended", safeReplicas)
		}
	}
	return nil
}
