package io.uniserve.engines.olap;

import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.storage.LiveDatasource;

/**
 * An update that makes one segment of everything that an actor holds. Rows that are equal roll up,
 * even if they came long after each other.
 */
@Name("Compact")
public record Compact() implements Upkeep {
  @Override
  public void keepUp(LiveDatasource datasource) {
    datasource.compact();
  }
}
