package io.uniserve.sql.stages;

import io.uniserve.api.Actor;
import io.uniserve.sql.algebra.TableSize;
import java.util.Map;

/** An actor whose rows of some SQL tables stages can read, on any number of threads. */
public interface SqlActor extends Actor, RowSource {
  /** Returns the estimated size of each table, by its stored name. */
  Map<String, TableSize> sizes();
}
