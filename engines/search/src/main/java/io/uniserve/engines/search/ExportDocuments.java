package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.textindex.SortedPages;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.SearchRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An operator that reads the documents of an actor page by page, in an order. The place of a page
 * is the sort values of the last document before it, so it means the same on every copy and in both
 * parts of an actor that was split.
 *
 * @param search the query and the order; the rows of its page are the most documents of a page
 * @param fields the fields that are given, by name or pattern
 */
@Name("ExportDocuments")
record ExportDocuments(SearchRequest search, List<String> fields)
    implements Operator.Scan<SearchActor> {
  /** The size that documents are supposed to have before any was seen, in bytes. */
  private static final int BYTES_EACH = 200;

  private static final TypeRegistry PLACES = TypeRegistry.of(List.of(Place.class));

  /** Copies the fields. */
  ExportDocuments {
    fields = List.copyOf(fields);
  }

  /**
   * A place between two documents.
   *
   * @param after the sort values of the one before it
   * @param bytesEach the mean size of documents, in bytes
   * @param total the number of documents that matched at the beginning
   */
  @Name("SortedPlace")
  record Place(Cursor after, int bytesEach, long total) {}

  @Override
  public ScanPage page(SearchActor actor, ScanFrom part, OperatorContext context) {
    return actor.read(searcher -> page(actor, part, searcher, context), Optional.empty(), context);
  }

  private ScanPage page(
      SearchActor actor, ScanFrom part, StatisticsSearcher searcher, OperatorContext context)
      throws IOException {
    SortedPages pages = new SortedPages(actor.bind(search), searcher, fields);
    Optional<Place> place = part.place().map(ExportDocuments::place);
    long total = place.isPresent() ? place.get().total() : pages.count();
    int each = place.map(Place::bytesEach).orElse(BYTES_EACH);
    int most = Math.clamp(1 + part.bytesMax() / each, 1, search.page().rows());
    List<SortedPages.Row> rows = pages.next(place.map(Place::after), most);
    SortedBlock.Writer block = new SortedBlock.Writer();
    int taken = 0;
    while (taken < rows.size() && block.sizeBytes() < part.bytesMax()) {
      context.checkCancelled();
      SortedPages.Row row = rows.get(taken);
      if (part.only().isEmpty() || part.only().get().test(PartitionKey.of(row.id()))) {
        block.add(row);
      }
      taken++;
    }
    context.reportRows(block.count());
    boolean ended = rows.size() < most && taken == rows.size();
    return new ScanPage(
        block.count() == 0 ? List.of() : List.of(block.bytes()),
        block.count(),
        ended
            ? Optional.empty()
            : Optional.of(
                place(
                    new Place(
                        new Cursor(rows.get(taken - 1).key()),
                        Math.max(1, block.sizeBytes() / taken),
                        total))),
        taken,
        total);
  }

  private static ByteBuffer place(Place place) {
    return ByteBuffer.wrap(PLACES.encode(place));
  }

  private static Place place(ByteBuffer bytes) {
    Place place = PLACES.decode(bytes.duplicate(), Place.class);
    if (place.bytesEach() < 1) {
      throw UniserveException.invalid("the place of an export has documents without a size");
    }
    return place;
  }
}
