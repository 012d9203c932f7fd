package turns

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// Keep writes what was measured to a file, as JSON, in the place of the one before.
func Keep(name string, measured any) error {
	text, err := json.MarshalIndent(measured, "", "\t")
	if err != nil {
		return err
	}
	beside := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
	if err := os.WriteFile(beside, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(beside, name)
}
