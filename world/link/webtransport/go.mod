// Module webtransport carries datagrams to browsers over QUIC. It is a module of its own, so that
// the library and users of world/link/web do not depend on QUIC.
module github.com/flatecs/flatecs/world/link/webtransport

go 1.26.0

require (
	github.com/flatecs/flatecs v0.0.0
	github.com/quic-go/quic-go v0.63.0 // webtransport-go v0.13.0 does not build with v0.64
	github.com/quic-go/webtransport-go v0.13.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/dunglas/httpsfv v1.1.1 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/quic-go/qpack v0.6.0 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/crypto v0.59.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
