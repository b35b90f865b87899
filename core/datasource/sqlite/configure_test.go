package sqlite

import (
	"context"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

func TestAConfiguredColumnMustExist(t *testing.T) {
	for _, name := range []string{"main.t.phon", "main.s.phone", "t.phone"} {
		d := openFile(t, Options{
			Path:    makeFile(t, `CREATE TABLE t (phone TEXT)`),
			Columns: map[string]config.ColumnConfig{name: {Tags: []string{"personal"}}},
		})
		_, err := d.Introspect(context.Background())
		e := wantCode(t, err, reason.SchemaChanged)
		if !strings.Contains(e.Message, name) || !strings.Contains(e.Message, "main.t") {
			t.Error(e.Message)
		}
		wantMisconfigured(t, e)
	}
}

// wantMisconfigured checks what the asker is told of a configuration that does
// not fit, which never names a column.
func wantMisconfigured(t *testing.T, e *reason.Error) {
	t.Helper()
	told := e.SafeMessage + " " + e.NextAction
	if !strings.Contains(e.SafeMessage, "configuration") || !strings.Contains(e.NextAction, "datasources.test.columns") || e.Retryable {
		t.Errorf("told %q, retryable %t", told, e.Retryable)
	}
	if strings.Contains(told, "main.") || strings.Contains(told, "phone") {
		t.Errorf("the asker is told of the column: %s", told)
	}
}

func TestAConfiguredStorageMustFitTheValues(t *testing.T) {
	const script = `
		CREATE TABLE t (s INTEGER, ms INTEGER, jul REAL, iso TEXT, dmy TEXT, name TEXT, early INTEGER, digits TEXT, ordinal INTEGER,
			zoned TIMESTAMP, blob BLOB, blank TEXT, us TEXT, dirty INTEGER, old INTEGER);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 27)
		INSERT INTO t SELECT 1735689600 + i * 3601, (1735689600 + i * 3601) * 1000, 2460676.5 + i, printf('2025-01-%02d', i), printf('%02d/01/2025', i),
			'name ' || i, i * 86400000, '' || (1735689600 + i), i, printf('2025-01-%02dT10:00:00+09:00', i), x'00', '',
			printf('01/%02d/2025', i), CASE WHEN i = 5 THEN 'soon' ELSE 1735689600 + i END, -1000000000 - i FROM n;`
	for _, c := range []struct {
		column  string
		storage schema.Storage
		says    string // "" when it fits
	}{
		{"s", schema.StorageEpoch, ""},
		{"ms", schema.StorageEpochMS, ""},
		{"jul", schema.StorageJulian, ""},
		{"iso", schema.StorageISO, ""},
		{"dmy", schema.StorageDMY, ""},
		{"early", schema.StorageEpochMS, ""},
		{"old", schema.StorageEpoch, ""},
		{"dirty", schema.StorageEpoch, ""},
		{"blank", schema.StorageEpoch, ""},
		{"ms", schema.StorageEpoch, "set storage: epoch_ms"},
		{"s", schema.StorageEpochMS, "set storage: epoch_s"},
		{"jul", schema.StorageEpochMS, "set storage: julian"},
		{"jul", schema.StorageEpoch, "set storage: julian"},
		{"s", schema.StorageJulian, "set storage: epoch_s"},
		{"ordinal", schema.StorageJulian, "remove the setting"},
		{"iso", schema.StorageEpoch, "set storage: iso"},
		{"name", schema.StorageEpochMS, "remove the setting"},
		{"name", schema.StorageISO, "remove the setting"},
		{"digits", schema.StorageEpoch, "27 texts"},
		{"dmy", schema.StorageISO, "set storage: dmy"},
		{"us", schema.StorageDMY, "remove the setting"},
		{"iso", schema.StorageDMY, "set storage: iso"},
		{"zoned", schema.StorageISO, "offsets from UTC"},
		{"blob", schema.StorageISO, "27 blobs"},
	} {
		t.Run(c.column+" as "+string(c.storage), func(t *testing.T) {
			name := "main.t." + c.column
			d := openFile(t, Options{Path: makeFile(t, script), Columns: map[string]config.ColumnConfig{name: {Storage: c.storage}}})
			_, err := d.Introspect(context.Background())
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantCode(t, err, reason.SchemaChanged)
			for _, part := range []string{"datasource test", name, string(c.storage), c.says} {
				if !strings.Contains(e.Message, part) {
					t.Errorf("%q does not say %q", e.Message, part)
				}
			}
			wantMisconfigured(t, e)
		})
	}
}
