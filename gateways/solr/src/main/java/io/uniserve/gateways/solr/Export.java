package io.uniserve.gateways.solr;

import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.search.ExportPlanner;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.engines.search.SortedDocument;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.util.List;
import java.util.Optional;
import org.apache.solr.common.params.SolrParams;

/** An export with the parameters of {@code /export}. */
final class Export {
  /** The most documents of a page, as Solr's default. */
  private static final int BATCH_SIZE = 30_000;

  private final SortedScanPlan<SortedDocument> plan;
  private final ScanOptions options;

  /**
   * Reads an export.
   *
   * @throws UniserveException naming the parameter that is missing or wrong, in Solr's words where
   *     it has some
   */
  Export(TableDefinition table, SolrParams parameters) {
    Supported.EXPORT.check(parameters);
    SearchSchema schema = SearchPlanner.schema(table);
    List<SortKey> sort =
        Select.items("sort", Select.COMMA, parameters).stream().map(SortKey::of).toList();
    List<String> fields = Select.items("fl", Select.COMMA, parameters);
    if (sort.isEmpty()) {
      throw UniserveException.invalid("No sort criteria was provided.");
    }
    if (fields.isEmpty()) {
      throw UniserveException.invalid("export field list (fl) must be specified.");
    }
    if (fields.contains(SortKey.SCORE)) {
      throw UniserveException.invalid("Scoring is not currently supported with xsort.");
    }
    QueryParser queries = new QueryParser(schema, parameters);
    SearchRequest search =
        new SearchRequest(
            queries.main(),
            queries.filters(),
            new Page(sort, 0, parameters.getInt("batchSize", BATCH_SIZE), Optional.empty()),
            new HitContents(List.of(), Optional.empty(), false),
            List.of(),
            false,
            Statistics.LOCAL);
    boolean stored = parameters.getBool("includeStoredFields", false);
    plan = ExportPlanner.plan(table, search, fields, stored);
    options =
        ScanOptions.DEFAULT.withPriority(
            ScanOptions.priority(parameters.get("priority", "normal")));
  }

  SortedScanPlan<SortedDocument> plan() {
    return plan;
  }

  ScanOptions options() {
    return options;
  }
}
