package io.uniserve.gateways.solr;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.search.AddDocuments;
import io.uniserve.engines.search.DeleteById;
import io.uniserve.engines.search.DeleteByQuery;
import io.uniserve.engines.search.Document;
import io.uniserve.engines.search.DocumentId;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.SearchRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.solr.common.params.MapSolrParams;
import org.apache.solr.common.params.SolrParams;

/**
 * The changes of one request to {@code /update}, in their order. Everything is checked before
 * anything is applied, so a bad part refuses the whole request. A commit happens after everything
 * has been applied.
 */
final class Update {
  /** The most values of one body, since each takes more memory than its bytes. */
  static final int VALUES_MAX = 1_000_000;

  private final UniserveClient client;
  private final TableDefinition table;
  private final Optional<String> key;
  private final List<Consumer<UpdateOptions>> changes = new ArrayList<>();
  private final List<Map<String, Object>> documents = new ArrayList<>();
  private int visibleWithinMillis = Integer.MAX_VALUE;

  /**
   * Makes an update.
   *
   * @param key the idempotency key of the whole request
   */
  Update(UniserveClient client, TableDefinition table, Optional<String> key) {
    this.client = client;
    this.key = key;
    this.table = table;
  }

  @SuppressWarnings("unchecked")
  void add(Object document) {
    if (!(document instanceof Map<?, ?>)) {
      throw UniserveException.invalid("a document is a map of fields, not " + Excerpt.of(document));
    }
    documents.add((Map<String, Object>) document);
  }

  void delete(List<?> ids) {
    endAdds();
    List<DocumentId> checked = ids.stream().map(Update::documentId).toList();
    changes.add(options -> client.update(table.name(), new DeleteById(), checked, options));
  }

  private static DocumentId documentId(Object id) {
    return new DocumentId(id instanceof String || id instanceof Number ? "" + id : "");
  }

  void deleteMatching(Object text) {
    endAdds();
    SolrParams none = new MapSolrParams(Map.of());
    QueryText query = new QueryParser(SearchPlanner.schema(table), none).parse("" + text, "lucene");
    SearchPlanner.plan(table, SearchRequest.of(query));
    DeleteByQuery delete = new DeleteByQuery(query);
    changes.add(options -> client.updateAll(table.name(), delete, options));
  }

  private void endAdds() {
    if (documents.isEmpty()) {
      return;
    }
    try {
      List<Document> checked =
          client.planner(table).records(table, documents).stream()
              .map(Document.class::cast)
              .toList();
      changes.add(options -> client.update(table.name(), new AddDocuments(), checked, options));
      documents.clear();
    } catch (RejectedRowException e) {
      String place = " (document " + (e.row() + 1) + " of " + documents.size() + ")";
      throw UniserveException.invalid(e.getMessage() + place);
    }
  }

  /** Reads the options of a command, if it has any. */
  void command(Map<?, ?> options) {
    if (options != null) {
      Map<String, String> texts = new LinkedHashMap<>();
      options.forEach((name, value) -> texts.put("" + name, "" + value));
      options(new MapSolrParams(texts));
    }
  }

  /**
   * Reads options. A commit always waits until all changes are visible; requests to merge segments
   * have no effect.
   */
  void options(SolrParams options) {
    Supported.UPDATE.check(options);
    boolean soft = options.getBool("softCommit", false) || options.getBool("optimize", false);
    boolean visible =
        (soft || options.getBool("commit", false)) && options.getBool("openSearcher", true);
    int millis = visible ? 0 : options.getInt("commitWithin", Integer.MAX_VALUE);
    visibleWithinMillis = Math.min(visibleWithinMillis, millis);
  }

  /**
   * Applies all changes, and commits if required.
   *
   * @param then receives the time in milliseconds within which the changes must be visible
   */
  void apply(IntConsumer then) {
    endAdds();
    int applied = 0;
    try {
      for (Consumer<UpdateOptions> change : changes) {
        change.accept(options(applied));
        applied++;
      }
      then.accept(visibleWithinMillis);
    } catch (UniserveException e) {
      throw applied > 0 && key.isEmpty() ? e.ofUnknownOutcome() : e;
    }
  }

  /**
   * Returns the options of a part of the request. Each part has its own idempotency key, which is
   * the same when the request is sent again.
   */
  private UpdateOptions options(int number) {
    return new UpdateOptions(
        UpdateOptions.DEFAULT.timeout(),
        UpdateOptions.DEFAULT.acknowledgement(),
        key.map(given -> number == 0 ? given : given + "/" + number));
  }
}
