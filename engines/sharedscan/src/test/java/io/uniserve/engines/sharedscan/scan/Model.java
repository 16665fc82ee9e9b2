package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A list of records on which operations are done one after the other, in the plainest way. */
final class Model {
  /** The order of rows by their last value, which is a number that no two have. */
  static final Comparator<List<Object>> BY_ID = Comparator.comparing(row -> (Long) row.getLast());

  private final TableSchema schema;
  private final List<Object[]> records = new ArrayList<>();

  Model(TableSchema schema) {
    this.schema = schema;
  }

  void insert(Object[] row) {
    records.add(row.clone());
  }

  long delete(List<Test> tests) {
    int before = records.size();
    records.removeIf(row -> passes(row, tests));
    return before - records.size();
  }

  long set(List<Test> tests, int[] columns, Object[] stored) {
    long changed = 0;
    for (Object[] row : records) {
      if (passes(row, tests)) {
        for (int i = 0; i < columns.length; i++) {
          row[columns[i]] = stored[i];
        }
        changed++;
      }
    }
    return changed;
  }

  List<List<Object>> rows() {
    return rows(List.of());
  }

  List<List<Object>> rows(List<Test> tests) {
    Cells cells = new Cells(schema.columns());
    return records.stream()
        .filter(row -> passes(row, tests))
        .map(cells::values)
        .sorted(BY_ID)
        .toList();
  }

  private static boolean passes(Object[] row, List<Test> tests) {
    return tests.stream().allMatch(test -> passes(row[test.column()], test));
  }

  private static boolean passes(Object value, Test test) {
    return switch (test) {
      case Test.Missing missing -> (value == null) != missing.not();
      case Test.Among among ->
          value != null
              && among.values().stream().anyMatch(each -> compare(value, each) == 0) != among.not();
      case Test.Between between ->
          value != null
              && (between.low() == null
                  || compare(value, between.low()) >= (between.lowIncluded() ? 0 : 1))
              && (between.high() == null
                  || compare(value, between.high()) <= (between.highIncluded() ? 0 : -1));
      case Test.BeginsWith begins -> value != null && text(value).startsWith(begins.prefix());
    };
  }

  private static int compare(Object value, Object other) {
    return value instanceof byte[] text
        ? Integer.signum(
            Arrays.compareUnsigned(text, ((String) other).getBytes(StandardCharsets.UTF_8)))
        : Long.compare((long) value, (long) other);
  }

  private static String text(Object value) {
    return value instanceof byte[] text
        ? new String(text, StandardCharsets.UTF_8)
        : io.uniserve.engines.sharedscan.schema.Texts.text((long) value, Integer.BYTES);
  }
}
