package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.textindex.IdPages;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.request.SearchRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.StoredFields;

/**
 * An operator that reads the documents of an actor page by page, in the order of their ids. The
 * place of a page is the last id that was looked at.
 *
 * @param search the query
 * @param from the least id, if there is a bound
 * @param to the id before which the scan ends, if there is a bound
 * @param fields stored fields by name or pattern
 */
@Name("ScanDocuments")
record ScanDocuments(
    SearchRequest search, Optional<String> from, Optional<String> to, List<String> fields)
    implements Operator.Scan<SearchActor> {
  /** The most documents of a page, whether they match or not. */
  private static final long LOOKED_MAX = 100_000;

  /** Copies the fields. */
  ScanDocuments {
    fields = List.copyOf(fields);
  }

  @Override
  public ScanPage page(SearchActor actor, ScanFrom part, OperatorContext context) {
    return actor.read(
        searcher -> new Reading(actor, part, searcher).page(context), Optional.empty(), context);
  }

  private final class Reading {
    private final SearchActor actor;
    private final ScanFrom part;
    private final StatisticsSearcher searcher;
    private final DocumentMapper mapper;
    private final FieldSelection selection = FieldSelection.of(fields);
    private final DocumentBlock.Writer block = new DocumentBlock.Writer();

    Reading(SearchActor actor, ScanFrom part, StatisticsSearcher searcher) {
      this.actor = actor;
      this.part = part;
      this.searcher = searcher;
      this.mapper = new DocumentMapper(actor.schema());
    }

    ScanPage page(OperatorContext context) throws IOException {
      Optional<String> after = part.place().map(Reading::id);
      IdPages pages = new IdPages(searcher, actor.bind(search).matched());
      IdPages.End end =
          pages.walk(
              after.isPresent() ? after : from,
              after.isEmpty(),
              to,
              LOOKED_MAX,
              found -> {
                context.checkCancelled();
                if (part.only().isEmpty() || part.only().get().test(PartitionKey.of(found.id()))) {
                  StoredFields stored = found.leaf().reader().storedFields();
                  block.add(found.id(), mapper.fields(stored, found.document(), selection));
                }
                return block.sizeBytes() < part.bytesMax();
              });
      context.reportRows(block.count());
      return new ScanPage(
          block.count() == 0 ? List.of() : List.of(block.bytes()),
          block.count(),
          end.ended() ? Optional.empty() : Optional.of(place(end.last().orElseThrow())),
          end.looked(),
          searcher.getIndexReader().numDocs());
    }

    private static ByteBuffer place(String id) {
      return ByteBuffer.wrap(id.getBytes(StandardCharsets.UTF_8));
    }

    private static String id(ByteBuffer place) {
      if (place.remaining() > PartitionKey.SIZE_BYTES_MAX) {
        throw new UniserveException(ErrorCode.INVALID_ARGUMENT, "the place of a scan is no id");
      }
      return StandardCharsets.UTF_8.decode(place.duplicate()).toString();
    }
  }
}
