package io.uniserve.node.http.document;

import io.uniserve.runtime.client.Coverage;
import java.util.LinkedHashMap;
import java.util.Map;

/** The coverage of an answer, as JSON. */
public final class CoverageDocument {
  private CoverageDocument() {}

  public static Map<String, Object> of(Coverage coverage) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("asked", coverage.asked());
    document.put("answered", coverage.answered());
    document.put("missing", coverage.missing().stream().map(CoverageDocument::missing).toList());
    return document;
  }

  private static Map<String, Object> missing(Coverage.Missing missing) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", missing.table());
    document.put("actor", missing.actor());
    document.put("why", missing.why());
    return document;
  }
}
