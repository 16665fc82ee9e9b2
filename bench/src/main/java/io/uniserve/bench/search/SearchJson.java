package io.uniserve.bench.search;

import io.uniserve.bench.report.JsonFile;
import java.util.LinkedHashMap;
import java.util.Map;

/** The results of the search benchmark as the maps that become JSON. */
final class SearchJson {

  private SearchJson() {}

  static Map<String, Object> of(SearchResults results) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", "search");
    fields.put("conditions", results.conditions());
    fields.put("leftOut", results.leftOut());
    fields.put("answers", results.comparisons().stream().map(SearchJson::comparison).toList());
    fields.put("measurements", results.rows().stream().map(SearchJson::row).toList());
    fields.put("memory", results.memory());
    return fields;
  }

  private static Map<String, Object> comparison(AnswerComparison comparison) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", comparison.workload().name());
    fields.put("system", comparison.system());
    fields.put("queries", comparison.queries());
    fields.put("differences", comparison.differences());
    return fields;
  }

  private static Map<String, Object> row(SearchRow row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", row.workload());
    fields.put("clients", row.clients());
    fields.put("systems", JsonFile.of(row.series()));
    return fields;
  }
}
