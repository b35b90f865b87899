// Package demo makes the demo: the database of an invented retailer, the same
// bytes of content each time, with questions to ask of it and their approved
// plans. All people, addresses and numbers are made up by the package.
package demo

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver that writes the file
)

// applicationID marks a file as a demo database in SQLite's header: "QDmo".
const applicationID = 0x51446d6f

//go:embed files/schema.sql
var schemaSQL string

// Write makes the demo database at path. A demo database that is there already
// is replaced; any other file is left as it is, with an error that says so. The
// file appears whole or not at all.
func Write(ctx context.Context, path string) error {
	if err := replaceable(path); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".querent-demo-*")
	if err != nil {
		return fmt.Errorf("make the demo database: %w", err)
	}
	defer os.RemoveAll(folder)
	draft := filepath.Join(folder, "demo.db")
	if err := build(ctx, draft); err != nil {
		return fmt.Errorf("make the demo database: %w", err)
	}
	if err := os.Rename(draft, path); err != nil {
		return fmt.Errorf("put the demo database in its place: %w", err)
	}
	return nil
}

// replaceable reports an error unless path is free or holds a demo database.
func replaceable(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	defer f.Close()
	// The application id stands at byte 68 of an SQLite file's header.
	const magic, idAt = "SQLite format 3\x00", 68
	header := make([]byte, idAt+4)
	_, err = io.ReadFull(f, header)
	if err != nil || string(header[:len(magic)]) != magic || binary.BigEndian.Uint32(header[idAt:]) != applicationID {
		return fmt.Errorf("%s exists and is no demo database: name another path, or move that file away", path)
	}
	return nil
}

func build(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schemaSQL); err != nil {
		return err
	}
	if err := insert(ctx, tx, invent()); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	// Row estimates for the planner, SQLite's and ours.
	_, err = db.ExecContext(ctx, "ANALYZE")
	return err
}

func insert(ctx context.Context, tx *sql.Tx, r *retailer) error {
	for _, t := range r.tables() {
		if err := insertTable(ctx, tx, t); err != nil {
			return fmt.Errorf("fill %s: %w", t.name, err)
		}
	}
	return nil
}

func insertTable(ctx context.Context, tx *sql.Tx, t rowSet) error {
	if len(t.rows) == 0 {
		return errors.New("there are no rows")
	}
	marks := "?"
	for range len(t.rows[0]) - 1 {
		marks += ", ?"
	}
	stmt, err := tx.PrepareContext(ctx, fmt.Sprintf(`INSERT INTO "%s" VALUES (%s)`, t.name, marks))
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, row := range t.rows {
		if _, err := stmt.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}
