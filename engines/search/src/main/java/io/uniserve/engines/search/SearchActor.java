package io.uniserve.engines.search;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.codec.OpenDictionaries;
import io.uniserve.textindex.phrase.WordPlaces;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.AlreadyClosedException;

/** One Lucene index, as it is or as it was at a point in time. */
abstract sealed class SearchActor implements Actor permits LiveIndex, IndexSnapshot {
  private final ActorContext context;
  private final SearchSchema schema;
  private final WordPlaces places = new WordPlaces();
  private final OpenDictionaries open = new OpenDictionaries();

  SearchActor(ActorContext context, SearchSchema schema) {
    this.context = context;
    this.schema = schema;
  }

  /** Acquires a reader, which the caller must {@linkplain #release release}. */
  abstract DirectoryReader acquire() throws IOException;

  abstract void release(DirectoryReader reader) throws IOException;

  /** Returns the index that updates change. A snapshot throws, since it is never updated. */
  abstract LiveIndex live();

  final ActorContext context() {
    return context;
  }

  final SearchSchema schema() {
    return schema;
  }

  BoundRequest bind(SearchRequest request) {
    return BoundRequest.of(schema, request);
  }

  /** Work that reads through a searcher. */
  interface Reading<T> {
    T of(StatisticsSearcher searcher) throws IOException;
  }

  /**
   * Reads the visible documents.
   *
   * @throws UniserveException if the request ended before the work did, or the files cannot be read
   */
  <T> T read(Reading<T> work, Optional<WordStatistics> statistics, OperatorContext request) {
    try {
      DirectoryReader reader = acquire();
      try {
        return open.use(
            reader,
            dictionaries -> {
              StatisticsSearcher searcher =
                  new StatisticsSearcher(
                      reader, dictionaries, statistics, places, request::cancelled);
              T result = work.of(searcher);
              if (searcher.timedOut()) {
                request.checkCancelled();
                throw new UniserveException(ErrorCode.CANCELLED, "search of " + where());
              }
              return result;
            });
      } finally {
        release(reader);
      }
    } catch (IOException | UncheckedIOException | AlreadyClosedException e) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, where() + " cannot be read: " + UniserveException.reason(e), e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw UniserveException.invalid("the query has too many parts: " + e.getMessage());
    }
  }

  static Term idTerm(String id) {
    return new Term(SortKey.ID, id);
  }

  final String where() {
    return "actor " + context.actor() + " of table '" + context.table().name() + "'";
  }
}
