package io.uniserve.runtime.client;

import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;

/** The tables of a cluster, to be created and dropped. */
public interface Tables {
  /** Creates a table and waits until all its copies can be read. */
  TableState createTable(TableDefinition definition, Duration timeout);

  /**
   * Creates a table on a ring of servers (<i>Crescando/RB</i> §6.2), and waits until all its copies
   * can be read.
   */
  TableState createTable(TableDefinition definition, RingPlacement ring, Duration timeout);

  /** Drops a table and all its data. */
  void dropTable(String name, Duration timeout);
}
