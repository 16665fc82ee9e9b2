package io.uniserve.engines.search;

import io.uniserve.api.ScanPlan;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.SortedPages;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SortOrder;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.lucene.search.FieldDoc;

/** The planner of exports: scans that give all documents of a search in an order. */
public final class ExportPlanner {
  private ExportPlanner() {}

  /**
   * Plans an export.
   *
   * @param search the query and the order; the rows of its page are the most documents of a page
   * @param fields the fields that are given, by name or pattern
   * @param stored true if fields may be given that have no columns, but are stored
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong, {@link
   *     ErrorCode#NOT_FOUND} naming a field that the schema lacks, or {@link ErrorCode#UNSUPPORTED}
   *     naming a field that cannot be sorted by or given
   */
  public static SortedScanPlan<SortedDocument> plan(
      TableDefinition table, SearchRequest search, List<String> fields, boolean stored) {
    SearchSchema schema = SearchPlanner.schema(table);
    new BoundRequest(schema, search).check();
    search.page().sort().forEach(key -> requireSingle(schema, key.field()));
    fields.stream()
        .filter(name -> !FieldSelection.isPattern(name))
        .forEach(name -> requireGiven(name, schema.require(name), stored));
    SortOrder order = new SortOrder(schema, search.page());
    Comparator<FieldDoc> places = order.comparator();
    return new SortedScanPlan<>(
        new ScanPlan(
            table.name(),
            new ExportDocuments(search, fields),
            Keys.ALL,
            false,
            List.of(),
            (block, records) ->
                SortedBlock.read(block).forEachRemaining(row -> records.accept(row.fields()))),
        block -> documents(order, block),
        (one, other) -> places.compare(one.place(), other.place()));
  }

  private static Iterator<SortedDocument> documents(SortOrder order, ByteBuffer block) {
    Iterator<SortedPages.Row> rows = SortedBlock.read(block);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public SortedDocument next() {
        SortedPages.Row row = rows.next();
        return new SortedDocument(order.hit(0, row.key()), row.fields());
      }
    };
  }

  private static void requireSingle(SearchSchema schema, String name) {
    if (name.equals(SortKey.SCORE)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "Scoring is not currently supported with xsort.");
    }
    if (schema.require(name).multiValued()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "field '" + name + "' may have several values, so an export is not sorted by it");
    }
  }

  private static void requireGiven(String name, FieldDefinition field, boolean stored) {
    if (!field.docValues() && !(stored && field.stored())) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          name
              + " must have DocValues to use this feature: it is neither sortable nor a facet"
              + (field.stored() ? "; includeStoredFields=true gives it as it is stored" : ""));
    }
  }
}
