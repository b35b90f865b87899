package sqlite

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// interruptEvery is the time between two interrupts of a statement that goes on.
const interruptEvery = 2 * time.Millisecond

// interruptWhenDone stops whatever runs on a driver connection when ctx ends. The
// driver would watch the context only until the first row is there; a scan that
// finds no second row would run on. SQLite forgets an interrupt that comes just
// before a statement starts, so it is repeated. The returned function ends the
// watch and must be called before the connection is used for anything else.
func interruptWhenDone(ctx context.Context, driverConn any) (func(), error) {
	handle, err := handleOf(driverConn)
	if err != nil {
		return nil, err
	}
	over, done := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		tls := libc.NewTLS()
		defer tls.Close()
		for {
			sqlite3.Xsqlite3_interrupt(tls, handle)
			select {
			case <-over:
				return
			case <-time.After(interruptEvery):
			}
		}
	})
	return func() {
		if !stop() {
			close(over)
			<-done
		}
	}, nil
}

// handleOf is the sqlite3* behind a connection of the driver, which has no
// method for it. sqlite3_interrupt is the one call of SQLite that is made for
// other threads.
func handleOf(driverConn any) (uintptr, error) {
	v := reflect.Indirect(reflect.ValueOf(driverConn))
	if v.Kind() != reflect.Struct {
		return 0, fmt.Errorf("a connection of type %T cannot be interrupted", driverConn)
	}
	field := v.FieldByName("db")
	if !field.IsValid() || field.Kind() != reflect.Uintptr || field.Uint() == 0 {
		return 0, fmt.Errorf("a connection of type %T has no SQLite handle", driverConn)
	}
	return uintptr(field.Uint()), nil
}
