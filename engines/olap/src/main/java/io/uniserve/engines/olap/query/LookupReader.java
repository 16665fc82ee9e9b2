package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.lookup.Lookups;
import io.uniserve.engines.olap.lookup.StoredLookups;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.druid.query.Query;
import org.apache.druid.query.scan.ScanResultValue;

/**
 * The reader of a cluster's lookups. It asks for their versions before each query that may use
 * some, and for their values if a version is new.
 */
final class LookupReader {
  private static final Pattern CALL = Pattern.compile("(?i)\\blookup\\s*\\(");

  private final DruidClient client;

  LookupReader(DruidClient client) {
    this.client = client;
  }

  /** Returns whether an expression, or a statement of SQL, calls the function. */
  static boolean calls(String expression) {
    return CALL.matcher(expression).find();
  }

  /** Returns whether a native query uses registered lookups. */
  static boolean uses(JsonNode query) {
    if (query.isTextual()) {
      return calls(query.textValue());
    }
    String type = query.path("type").asText();
    boolean named = query.path("lookup").isTextual() || query.path("name").isTextual();
    if (type.equals("registeredLookup")
        || type.equals("lookup") && named && !query.path("lookup").isObject()) {
      return true;
    }
    for (JsonNode part : query) {
      if (uses(part)) {
        return true;
      }
    }
    return false;
  }

  private static Query<Object> scan(List<String> columns) {
    return Queries.read(
        """
        {"queryType":"scan","dataSource":"%s","resultFormat":"compactedList","columns":["%s"],
         "intervals":["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"]}"""
            .formatted(StoredLookups.NAME, String.join("\",\"", columns)));
  }

  private List<List<?>> rows(List<String> columns) {
    List<List<?>> rows = new ArrayList<>();
    for (Object each : client.run(scan(columns)).toList()) {
      ((List<?>) ((ScanResultValue) each).getEvents()).forEach(row -> rows.add((List<?>) row));
    }
    return rows;
  }

  /** Returns all lookups, as they are now. */
  List<Lookup> all() {
    try {
      return rows(StoredLookups.COLUMNS).stream().map(StoredLookups::lookup).toList();
    } catch (UniserveException e) {
      return noneIfMissing(e);
    }
  }

  private static List<Lookup> noneIfMissing(UniserveException failure) {
    if (failure.code() != ErrorCode.NOT_FOUND) {
      throw failure;
    }
    return List.of();
  }

  /** Has this process know the lookups as they are now. */
  void read() {
    Lookups known = Druid.get().lookups();
    Map<String, String> versions = new TreeMap<>();
    try {
      rows(StoredLookups.VERSIONS)
          .forEach(row -> versions.put((String) row.get(0), (String) row.get(1)));
    } catch (UniserveException e) {
      noneIfMissing(e);
    }
    if (versions.isEmpty()) {
      known.learn(List.of());
    } else if (!versions.equals(known.versions())) {
      known.learn(all());
    }
  }

  /** Has this process know the lookups as they are now, whatever it knew. */
  void readAll() {
    Druid.get()
        .lookups()
        .learn(rows(StoredLookups.COLUMNS).stream().map(StoredLookups::lookup).toList());
  }
}
