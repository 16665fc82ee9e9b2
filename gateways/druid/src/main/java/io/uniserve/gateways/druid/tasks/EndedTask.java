package io.uniserve.gateways.druid.tasks;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A task that has ended, as Druid tells of it.
 *
 * @param id its number
 * @param body the SHA-256 of what its sender wrote, in hexadecimal
 * @param type its type
 * @param table the table
 * @param created the time at which it was sent
 * @param duration the time that it took
 * @param processed the rows that were stored
 * @param thrownAway the rows that were left out: outside of its intervals, or by its filter
 */
record EndedTask(
    String id,
    String body,
    String type,
    String table,
    Instant created,
    Duration duration,
    long processed,
    long thrownAway) {
  private static final String SUCCESS = "SUCCESS";

  Map<String, Object> status() {
    Map<String, Object> location = new LinkedHashMap<>();
    location.put("host", null);
    location.put("port", -1);
    location.put("tlsPort", -1);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("id", id);
    status.put("groupId", id);
    status.put("type", type);
    status.put("createdTime", created.toString());
    status.put("queueInsertionTime", created.toString());
    status.put("statusCode", SUCCESS);
    status.put("status", SUCCESS);
    status.put("runnerStatusCode", "NONE");
    status.put("duration", duration.toMillis());
    status.put("location", location);
    status.put("dataSource", table);
    status.put("errorMsg", null);
    return status;
  }

  Map<String, Object> report() {
    Map<String, Object> rows =
        Map.of(
            "processed",
            processed,
            "processedWithError",
            0,
            "thrownAway",
            thrownAway,
            "unparseable",
            0);
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("ingestionState", "COMPLETED");
    payload.put("unparseableEvents", Map.of());
    payload.put("rowStats", Map.of("buildSegments", rows));
    payload.put("errorMsg", null);
    return Map.of(
        "ingestionStatsAndErrors",
        Map.of("type", "ingestionStatsAndErrors", "taskId", id, "payload", payload));
  }

  /** Returns the row of the table {@code sys.tasks}. */
  Object[] row() {
    return new Object[] {
      id,
      id,
      type,
      table,
      created.toString(),
      created.toString(),
      SUCCESS,
      "NONE",
      duration.toMillis(),
      null,
      null,
      null,
      null,
      null
    };
  }
}
