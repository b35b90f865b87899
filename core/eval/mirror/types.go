package mirror

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// maxMisfits is the part of a column's values that may be of another type than the
// column and become null. With more of them the column becomes text.
const maxMisfits = 0.05

// look sees a value of the column. A fraction makes an integer a float.
func (c *target) look(v any) {
	switch v := v.(type) {
	case nil:
		c.hasNull = true
		return
	case string:
		c.length = max(c.length, len(v))
	case []byte:
		c.length = max(c.length, len(v))
	}
	c.values++
	if c.fits(v) {
		return
	}
	if f, isFloat := v.(float64); isFloat && (c.kind == wire.KindInt || c.kind == wire.KindDecimal) && !math.IsInf(f, 0) {
		c.kind = wire.KindFloat
		return
	}
	c.misfits++
}

// settle decides over the type once all values were seen.
func (c *target) settle() {
	if float64(c.misfits) > maxMisfits*float64(c.values) {
		c.kind = wire.KindText
		return
	}
	c.hasNull = c.hasNull || c.misfits > 0
}

// fits reports whether the mirror's type holds the value.
func (c *target) fits(v any) bool {
	switch c.kind {
	case wire.KindInt, wire.KindDecimal:
		_, is := v.(int64)
		f, isFloat := v.(float64)
		return is || isFloat && c.kind == wire.KindDecimal && c.decimal(f)
	case wire.KindFloat:
		_, isInt := v.(int64)
		_, isFloat := v.(float64)
		return isInt || isFloat
	case wire.KindBool:
		n, is := v.(int64)
		if b, isBool := v.(bool); isBool {
			_ = b
			return true
		}
		return is && (n == 0 || n == 1)
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		_, ok := c.moment(v)
		return ok
	case wire.KindBytes:
		_, is := v.([]byte)
		return is
	case wire.KindTime:
		s, is := v.(string)
		_, err := time.Parse(time.TimeOnly, s)
		return is && err == nil
	}
	return true
}

// decimal reports whether a float has no more digits than the column declares.
func (c *target) decimal(f float64) bool {
	text := strconv.FormatFloat(f, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	p, s := int(c.Type.Precision), int(c.Type.Scale)
	return p > 0 && len(fraction) <= s && len(whole) <= p-s
}

var momentLayouts = []string{"2006-01-02", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST"}

// moment reads a stored value by the column's storage.
func (c *target) moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return v, true
	case string:
		layouts := momentLayouts
		if c.Storage == schema.StorageDMY {
			layouts = []string{"02/01/2006"}
		}
		for _, l := range layouts {
			if t, err := time.Parse(l, v); err == nil {
				return t, true
			}
		}
	case int64:
		return c.counted(float64(v))
	case float64:
		return c.counted(v)
	}
	return time.Time{}, false
}

func (c *target) counted(n float64) (time.Time, bool) {
	switch c.Storage {
	case schema.StorageEpoch:
		return time.UnixMilli(int64(n * 1000)).UTC(), true
	case schema.StorageEpochMS:
		return time.UnixMilli(int64(n)).UTC(), true
	case schema.StorageJulian:
		return time.UnixMilli(int64(math.Round((n - 2440587.5) * 86400000))).UTC(), true
	}
	return time.Time{}, false
}

// convert is the value as the mirror's driver takes it.
func (c *target) convert(v any) any {
	if v == nil || c.kind != wire.KindText && !c.fits(v) {
		return nil
	}
	switch c.kind {
	case wire.KindText, wire.KindJSON, wire.KindUUID, wire.KindNull:
		return textOf(v)
	case wire.KindDate:
		t, _ := c.moment(v)
		return t.Format("2006-01-02")
	case wire.KindTimestamp, wire.KindTimestampTZ:
		t, _ := c.moment(v)
		return t.Format("2006-01-02 15:04:05.999999")
	case wire.KindBool:
		n, _ := v.(int64)
		b, _ := v.(bool)
		return b || n == 1
	case wire.KindDecimal:
		return textOf(v)
	case wire.KindFloat:
		if n, is := v.(int64); is {
			return float64(n)
		}
	}
	return v
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(strings.ToValidUTF8(v, "\ufffd"), "\x00", "")
	case []byte:
		return hex.EncodeToString(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// maxKeyText is the length of a text that a key of MariaDB holds, in characters of
// four bytes.
const maxKeyText = 190

// declare is the type of a column in the mirror.
func (s *Server) declare(c *target, inKey bool) string {
	my := s.dialect == schema.MySQL
	pick := func(postgres, mariadb string) string {
		if my {
			return mariadb
		}
		return postgres
	}
	switch c.kind {
	case wire.KindInt:
		return "bigint"
	case wire.KindDecimal:
		if c.Type.Precision > 0 {
			return fmt.Sprintf("decimal(%d,%d)", min(max(c.Type.Precision, c.Type.Scale), 38), min(c.Type.Scale, 30))
		}
		return "bigint"
	case wire.KindFloat:
		return "double precision"
	case wire.KindBool:
		return "boolean"
	case wire.KindDate:
		return "date"
	case wire.KindTimestamp:
		return pick("timestamp", "datetime(6)")
	case wire.KindTimestampTZ:
		return pick("timestamptz", "timestamp(6) NULL")
	case wire.KindTime:
		return pick("time", "time")
	case wire.KindBytes:
		return pick("bytea", "longblob")
	}
	if my && (inKey || c.length <= maxKeyText) {
		return fmt.Sprintf("varchar(%d)", max(min(c.length, 255), maxKeyText))
	}
	return pick("text", "longtext")
}
