package io.uniserve.engines.warehouse;

import java.util.ArrayList;
import java.util.List;

/** The number that a statement counts. */
final class Count {
  private Count() {}

  /** The one number of a statement's only row. */
  static long of(WarehouseActor actor, String sql) {
    List<Object> counted = new ArrayList<>();
    actor.query(
        List.of(),
        sql,
        new Unhurried(),
        rows -> {
          if (rows.getRowCount() > 0) {
            counted.add(rows.getVector(0).getObject(0));
          }
        });
    return ((Number) counted.getFirst()).longValue();
  }
}
