package io.uniserve.engines.warehouse.fuzz;

import io.uniserve.engines.warehouse.fuzz.Warehouse.Sizes;
import java.sql.SQLException;
import java.util.List;

/**
 * A statement that a warehouse gets wrong.
 *
 * @param sizes of the tables for which it was planned
 */
record Finding(
    Verdict verdict,
    Database database,
    Layout layout,
    Warehouse warehouse,
    Sizes sizes,
    Part statement,
    boolean ordered) {
  /** Whatever it fails without left out, as far as a bounded search finds it. */
  Finding shrunk(World world) throws SQLException {
    return new Shrinking(world, this).smallest();
  }

  /** Whether it fails like that where the world has these tables. */
  boolean failsIn(World world, Part other) {
    String sql = other.text();
    return Verdict.of(world.right(sql), warehouse.run(sql, sizes), ordered) == verdict;
  }

  /** What a person needs to see it again. */
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
