// Module ebiten shows a world in a window, or in a browser, by Ebitengine. It stays out of the
// tree's go.work, so that the commands of the README do not download Ebitengine.
module github.com/flatecs/flatecs/cmd/ebiten

go 1.26.0

require (
	github.com/flatecs/flatecs v0.0.0
	github.com/hajimehoshi/ebiten/v2 v2.8.8
	github.com/jezek/xgb v1.1.1
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/ebitengine/gomobile v0.0.0-20240911145611-4856209ac325 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.8.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
