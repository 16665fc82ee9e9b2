package io.uniserve.sql.stages;

import io.uniserve.api.Actor;
import io.uniserve.sql.algebra.TableSize;
import java.util.Map;

/** An actor whose rows of some SQL tables stages can read, on any number of threads. */
public interface SqlActor extends Actor, RowSource {
  /** About how large each table is, by the name that it is stored under. */
  Map<String, TableSize> sizes();
}
