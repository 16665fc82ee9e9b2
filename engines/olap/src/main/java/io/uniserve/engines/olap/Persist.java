package io.uniserve.engines.olap;

import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.storage.LiveDatasource;

/**
 * An update that writes the rows that an actor holds in memory as a segment, and merges it with
 * segments that are not much larger. Queries read few large segments faster, so that whoever has
 * loaded much sends it at the end.
 */
@Name("Persist")
public record Persist() implements Upkeep {
  @Override
  public void keepUp(LiveDatasource datasource) {
    datasource.tidy();
  }
}
