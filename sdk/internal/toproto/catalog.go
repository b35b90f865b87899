package toproto

import (
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// CatalogView converts what a caller may see of a catalog.
func CatalogView(c wire.CatalogView) *pluginv1.CatalogView {
	return &pluginv1.CatalogView{
		Datasource: Text(c.Datasource), Dialect: Text(c.Dialect), Description: Text(c.Description), Tables: each(c.Tables, table),
	}
}

func table(t wire.TableView) *pluginv1.TableView {
	return &pluginv1.TableView{
		Name: Text(t.Name), Description: Text(t.Description), Synonyms: Texts(t.Synonyms), Columns: each(t.Columns, columnView),
		PrimaryKey: Texts(t.PrimaryKey), ForeignKeys: each(t.ForeignKeys, key),
	}
}

func columnView(c wire.ColumnView) *pluginv1.ColumnView {
	return &pluginv1.ColumnView{
		Name: Text(c.Name), Type: Type(c.Type), Nullable: c.Nullable, Description: Text(c.Description),
		Synonyms: Texts(c.Synonyms), Tags: Texts(c.Tags),
	}
}

func key(k wire.KeyView) *pluginv1.KeyView {
	return &pluginv1.KeyView{Columns: Texts(k.Columns), Table: Text(k.Table), RefColumns: Texts(k.RefColumns)}
}

// ValueHits converts the words that occur as values.
func ValueHits(hits []wire.ValueHit) []*pluginv1.ValueHit {
	return each(hits, func(h wire.ValueHit) *pluginv1.ValueHit {
		return &pluginv1.ValueHit{Word: Text(h.Word), Table: Text(h.Table), Column: Text(h.Column), Value: Text(h.Value)}
	})
}
