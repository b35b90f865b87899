package config

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/go-viper/mapstructure/v2"
)

// decode fills c from values whose shape is right.
func decode(src *source, c *Config) error {
	d, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		Result: c, TagName: "yaml", ErrorUnused: true, IgnoreUntaggedFields: true,
		MatchName:  func(key, field string) bool { return key == field },
		DecodeHook: mapstructure.ComposeDecodeHookFunc(shortForms, mapstructure.TextUnmarshallerHookFunc(), scalars),
	})
	if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	if err := d.Decode(src.values); err != nil {
		return problem("", "%v", err)
	}
	return nil
}

// shortForms reads the bare words that stand for a caller, a fallback and files, and
// sizes without a unit.
func shortForms(from, to reflect.Type, v any) (any, error) {
	text, isText := v.(string)
	switch {
	case to == reflect.TypeFor[Caller]() && isText:
		return Caller{Deny: text == deny}, nil
	case to == reflect.TypeFor[Fallback]() && isText:
		return Fallback{To: ProviderName(text)}, nil
	case to == reflect.TypeFor[PluginFiles]() && isText:
		return PluginFiles{Any: text == ReachAny}, nil
	case to == reflect.TypeFor[Bytes]() && !isText:
		return fmt.Sprint(v), nil
	}
	return v, nil
}

// scalars makes text of the numbers and truth values that stand where text is
// kept, and whole numbers of those that were written with a point.
func scalars(from, to reflect.Type, v any) (any, error) {
	f, isFloat := v.(float64)
	switch {
	case to.Kind() == reflect.String && isFloat:
		return strconv.FormatFloat(f, 'f', -1, 64), nil
	case to.Kind() == reflect.String:
		return fmt.Sprint(v), nil
	case isFloat && to.Kind() >= reflect.Int && to.Kind() <= reflect.Int64:
		if math.Abs(f) > 1<<53 {
			return nil, fmt.Errorf("%v is too large", f)
		}
		return int64(f), nil
	}
	return v, nil
}
