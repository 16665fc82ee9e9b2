package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.node.access.Caller;
import io.uniserve.node.http.metrics.OpenScans;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.ScanProgress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /api/scans}: the scans that are read through this process, of tables that the caller
 * may read.
 */
public final class ScansApi {
  private final OpenScans scans;

  public ScansApi(OpenScans scans) {
    this.scans = scans;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/scans", this::list);
  }

  private void list(Context context) {
    List<Map<String, Object>> all =
        scans.all().stream()
            .filter(scan -> Caller.currentMayRead(scan.table()))
            .map(ScansApi::document)
            .toList();
    context.contentType("application/json").result(Json.bytes(Map.of("scans", all)));
  }

  private static Map<String, Object> document(OpenScans.Shown scan) {
    ScanProgress progress = scan.progress();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", scan.table());
    document.put("priority", scan.priority());
    document.put("seconds", scan.seconds());
    document.put("records", progress.records());
    document.put("bytes", progress.bytes());
    document.put("share", progress.share());
    document.put("desired", progress.desired());
    document.put("held", progress.held());
    document.put("waiting", progress.waiting());
    document.put("bufferedBytes", progress.bufferedBytes());
    return document;
  }
}
