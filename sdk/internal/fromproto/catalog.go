package fromproto

import (
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// CatalogView converts what a caller may see of a catalog.
func CatalogView(m *pluginv1.CatalogView) (wire.CatalogView, error) {
	tables, err := try("table", m.GetTables(), table)
	if err != nil {
		return wire.CatalogView{}, err
	}
	return wire.CatalogView{
		Datasource: m.GetDatasource(), Dialect: m.GetDialect(), Description: m.GetDescription(), Tables: tables,
	}, nil
}

func table(m *pluginv1.TableView) (wire.TableView, error) {
	columns, err := try("column", m.GetColumns(), columnView)
	if err != nil {
		return wire.TableView{}, err
	}
	return wire.TableView{
		Name: m.GetName(), Description: m.GetDescription(), Synonyms: m.GetSynonyms(), Columns: columns,
		PrimaryKey: m.GetPrimaryKey(), ForeignKeys: each(m.GetForeignKeys(), key),
	}, nil
}

func columnView(m *pluginv1.ColumnView) (wire.ColumnView, error) {
	t, err := Type(m.GetType())
	if err != nil {
		return wire.ColumnView{}, err
	}
	return wire.ColumnView{
		Name: m.GetName(), Type: t, Nullable: m.GetNullable(), Description: m.GetDescription(),
		Synonyms: m.GetSynonyms(), Tags: m.GetTags(),
	}, nil
}

func key(m *pluginv1.KeyView) wire.KeyView {
	return wire.KeyView{Columns: m.GetColumns(), Table: m.GetTable(), RefColumns: m.GetRefColumns()}
}

// ValueHits converts the words that occur as values.
func ValueHits(list []*pluginv1.ValueHit) []wire.ValueHit {
	return each(list, func(m *pluginv1.ValueHit) wire.ValueHit {
		return wire.ValueHit{Word: m.GetWord(), Table: m.GetTable(), Column: m.GetColumn(), Value: m.GetValue()}
	})
}
