package io.uniserve.engines.warehouse.fuzz;

import io.uniserve.engines.warehouse.fuzz.Warehouse.Sizes;
import java.sql.SQLException;
import java.util.List;

/**
 * A statement that a warehouse gets wrong.
 *
 * @param sizes the sizes of the tables for which it was planned
 */
record Finding(
    Verdict verdict,
    Database database,
    Layout layout,
    Warehouse warehouse,
    Sizes sizes,
    Part statement,
    boolean ordered) {
  /** Returns the smallest failing statement that a bounded search finds. */
  Finding shrunk(World world) throws SQLException {
    return new Shrinking(world, this).smallest();
  }

  /** Returns whether another statement fails in the same way in a world. */
  boolean failsIn(World world, Part other) {
    String sql = other.text();
    return Verdict.of(world.right(sql), warehouse.run(sql, sizes), ordered) == verdict;
  }

  /** Describes the finding so that a person can reproduce it. */
  String told(World world) {
    String sql = statement.text();
    List<String> script = layout.script(database);
    return "%s on %d actors, planned for %s sizes%n%s;%n%s;%n  right: %s%n  given: %s"
        .formatted(
            verdict,
            warehouse.actors(),
            sizes,
            String.join(";\n", script),
            sql,
            world.right(sql),
            warehouse.run(sql, sizes));
  }
}
