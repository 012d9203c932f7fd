// Command serve compiles the heroes for the browser and serves them to this machine:
//
//	go -C cmd/ebiten run ./serve
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const page = `<!doctype html>
<meta charset="utf-8">
<title>heroes</title>
<script src="wasm_exec.js"></script>
<script>
const go = new Go();
WebAssembly.instantiateStreaming(fetch("heroes.wasm"), go.importObject)
	.then((program) => go.run(program.instance));
</script>
`

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(addr string) error {
	dir, err := os.MkdirTemp("", "heroes")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := write(dir); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	server := http.Server{
		Handler: http.FileServer(http.Dir(dir)), ReadHeaderTimeout: 5 * time.Second,
	}
	return server.Serve(listener)
}

// write writes the page, and what it loads, into a folder.
func write(dir string) error {
	program := filepath.Join(dir, "heroes.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		"github.com/flatecs/flatecs/cmd/ebiten")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("compile for the browser, in cmd/ebiten: %w: %s", err, said)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("ask the go command where its files are: %w", err)
	}
	goroot := strings.TrimSpace(string(root))
	script, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "wasm_exec.js"), script, 0o644),
		os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644),
	)
}
