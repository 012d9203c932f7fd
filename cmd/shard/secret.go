package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/systems/tool"
)

// A secret is a user of a server, and the source of the password.
type secret struct {
	User         string `help:"User of the server; needed unless it is on loopback."`
	Password     string `help:"${password}"`
	PasswordFile string `help:"File with the password of the user." type:"existingfile"`
}

// passwordKey is the environment variable with the password.
const passwordKey = "FLATECS_SHARD_PASSWORD"

// password returns the user's password, or "" if there is no user.
func (s *secret) password(getenv func(string) string) (string, error) {
	switch {
	case s.Password != "" && s.PasswordFile != "":
		return "", errors.New("shard: --password and --password-file; give one")
	case s.User == "" && (s.Password != "" || s.PasswordFile != ""):
		return "", errors.New("shard: a password without a user; give --user")
	case s.User == "" || s.Password != "":
		return s.Password, nil
	}
	word, from := getenv(passwordKey), passwordKey
	if s.PasswordFile != "" {
		text, err := textOf(s.PasswordFile)
		if err != nil {
			return "", fmt.Errorf("shard: --password-file: %w", err)
		}
		word, from = strings.TrimRight(text, "\n"), s.PasswordFile
	}
	if word == "" {
		return "", fmt.Errorf("shard: user %s has no password in %s; give one by --password-file "+
			"or %s", s.User, from, passwordKey)
	}
	return word, nil
}

// textOf returns the text of a file or a pipe.
func textOf(path string) (string, error) {
	f, err := file.Open(path)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(f)
	return tool.PlainText(string(text)), errors.Join(err, f.Close())
}
