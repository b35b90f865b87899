package redact

import (
	"encoding/json"
	"reflect"

	"querent.dev/querent/sdk/wire"
)

var (
	valueType   = reflect.TypeFor[wire.Value]()
	previewType = reflect.TypeFor[wire.Preview]()
	taggedType  = reflect.TypeFor[wire.Tagged]()
	rawType     = reflect.TypeFor[json.RawMessage]()
)

// Deep is a copy of v whose texts, wherever they stand in structs, lists and maps,
// are without what the filter takes out. Types stay; keys of maps and texts of types
// of their own, such as codes, do too.
func Deep[T any](f Filter, v T) T {
	if !f.Active() {
		return v
	}
	in := reflect.ValueOf(&v).Elem()
	out := reflect.New(in.Type()).Elem()
	f.deep(out, in)
	return out.Interface().(T)
}

func (f Filter) deep(out, in reflect.Value) {
	switch in.Type() {
	case valueType:
		out.Set(reflect.ValueOf(f.Value(in.Interface().(wire.Value), "")))
		return
	case previewType:
		out.Set(reflect.ValueOf(f.Preview(in.Interface().(wire.Preview))))
		return
	case taggedType:
		out.Set(reflect.ValueOf(f.tagged(in.Interface().(wire.Tagged))))
		return
	case rawType:
		out.SetBytes(f.JSON(in.Bytes()))
		return
	}
	switch in.Kind() {
	case reflect.String:
		out.Set(in)
		if in.Type() == reflect.TypeFor[string]() {
			out.SetString(f.Text(in.String()))
		}
	case reflect.Interface, reflect.Pointer:
		f.deepInside(out, in)
	case reflect.Struct:
		f.deepStruct(out, in)
	case reflect.Slice:
		out.Set(in)
		if !in.IsNil() && in.Type().Elem().Kind() != reflect.Uint8 {
			out.Set(reflect.MakeSlice(in.Type(), in.Len(), in.Len()))
			for i := range in.Len() {
				f.deep(out.Index(i), in.Index(i))
			}
		}
	case reflect.Map:
		f.deepMap(out, in)
	default:
		out.Set(in)
	}
}

func (f Filter) deepInside(out, in reflect.Value) {
	if in.IsNil() {
		return
	}
	inside := reflect.New(in.Elem().Type())
	f.deep(inside.Elem(), in.Elem())
	if in.Kind() == reflect.Pointer {
		out.Set(inside)
		return
	}
	out.Set(inside.Elem())
}

// deepStruct copies the struct first, so that what is not exported stays.
func (f Filter) deepStruct(out, in reflect.Value) {
	out.Set(in)
	for i := range in.NumField() {
		if in.Type().Field(i).IsExported() {
			f.deep(out.Field(i), in.Field(i))
		}
	}
}

func (f Filter) deepMap(out, in reflect.Value) {
	if in.IsNil() {
		return
	}
	out.Set(reflect.MakeMapWithSize(in.Type(), in.Len()))
	for it := in.MapRange(); it.Next(); {
		inside := reflect.New(in.Type().Elem()).Elem()
		f.deep(inside, it.Value())
		out.SetMapIndex(it.Key(), inside)
	}
}

// tagged is a value beside its kind.
func (f Filter) tagged(t wire.Tagged) wire.Tagged {
	v, err := t.Value()
	if err != nil {
		t.Text = f.Text(t.Text)
		return t
	}
	return wire.Tag(f.Value(v, ""))
}
