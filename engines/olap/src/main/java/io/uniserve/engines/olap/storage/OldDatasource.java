package io.uniserve.engines.olap.storage;

import io.uniserve.api.Usage;
import java.nio.file.Path;

/** A snapshot of a datasource: its segments and parts in memory, none of which change. */
final class OldDatasource extends OlapActor {
  private final LiveDatasource datasource;
  private final Contents contents;

  /** Makes a snapshot of the datasource as it is now. */
  OldDatasource(LiveDatasource datasource) {
    super(datasource.context(), datasource.schema());
    this.datasource = datasource;
    this.contents = datasource.contents();
  }

  @Override
  public Contents contents() {
    return contents.again();
  }

  @Override
  public LiveDatasource live() {
    throw new IllegalStateException(where() + ": a snapshot is never updated");
  }

  @Override
  public void serialize(Path directory) {
    throw new IllegalStateException(where() + ": a snapshot is never serialised");
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    contents.close();
  }
}
