package server

import (
	"fmt"
	"log/slog"
)

// A logger takes what the server has to say, and passes errors and warnings on.
type logger struct{ to *slog.Logger }

func (l logger) Errorf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)  { l.to.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Noticef(string, ...any)         {}
func (l logger) Debugf(string, ...any)          {}
func (l logger) Tracef(string, ...any)          {}
