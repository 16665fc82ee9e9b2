package io.uniserve.textindex;

import io.uniserve.textindex.document.ColumnValues;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.SortOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopFieldCollectorManager;

/**
 * Pages of the documents of an index that match a request, in its order, with the values of their
 * columns. Used by one thread.
 */
public final class SortedPages {
  private final BoundRequest bound;
  private final StatisticsSearcher searcher;
  private final List<String> columns = new ArrayList<>();
  private final FieldSelection stored;
  private final DocumentMapper mapper;

  /**
   * A document.
   *
   * @param key its sort values; the last is its id
   * @param fields the values of its fields
   */
  public record Row(List<Object> key, Map<String, Object> fields) {
    /** Returns the document's id. */
    public String id() {
      return (String) key.getLast();
    }
  }

  /**
   * Makes pages.
   *
   * @param fields the fields that are given, by name or pattern; of one without a column the stored
   *     value is
   */
  public SortedPages(BoundRequest bound, StatisticsSearcher searcher, List<String> fields) {
    this.bound = bound;
    this.searcher = searcher;
    this.mapper = new DocumentMapper(bound.schema);
    List<String> others = new ArrayList<>();
    for (String field : fields) {
      boolean column = FieldSelection.isPattern(field) || bound.schema.require(field).docValues();
      (column ? columns : others).add(field);
    }
    this.stored = FieldSelection.of(others);
  }

  /** Returns the number of documents that match. */
  public long count() throws IOException {
    return searcher.count(bound.matched);
  }

  /**
   * Returns the next documents, in order.
   *
   * @param after the end of the page before; empty for the first
   * @param most the number of documents, at least 1
   */
  public List<Row> next(Optional<Cursor> after, int most) throws IOException {
    FieldDoc end =
        after.map(cursor -> bound.order.hit(Integer.MAX_VALUE, cursor.values())).orElse(null);
    int reach = Math.clamp(searcher.getIndexReader().maxDoc(), 1, most);
    ScoreDoc[] hits =
        searcher.search(
                bound.matched, new TopFieldCollectorManager(bound.order.sort(), reach, end, 1))
            .scoreDocs;
    Map<ScoreDoc, Row> rows = new LinkedHashMap<>();
    ScoreDoc[] byDocument = hits.clone();
    Arrays.sort(byDocument, Comparator.comparingInt(hit -> hit.doc));
    LeafReaderContext leaf = null;
    ColumnValues values = null;
    for (ScoreDoc hit : byDocument) {
      if (leaf == null || hit.doc >= leaf.docBase + leaf.reader().maxDoc()) {
        List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
        leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
        values = new ColumnValues(bound.schema, leaf.reader(), columns);
      }
      int document = hit.doc - leaf.docBase;
      Map<String, Object> fields = values.of(document);
      fields.putAll(mapper.fields(leaf.reader().storedFields(), document, stored));
      rows.put(hit, new Row(SortOrder.values((FieldDoc) hit), fields));
    }
    return Arrays.stream(hits).map(rows::get).toList();
  }
}
