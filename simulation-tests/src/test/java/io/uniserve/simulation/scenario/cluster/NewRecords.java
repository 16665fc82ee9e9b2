package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.simulation.network.Interception;

/** An interception that knows of every record of which any process was told. */
abstract class NewRecords implements Interception {
  private long seen;

  @Override
  public final Message reply(String from, String to, Message request, Message reply) {
    if (reply instanceof StateChanges changes) {
      for (int i = 0; i < changes.records().size(); i++) {
        long version = changes.afterVersion() + i + 1;
        if (version > seen) {
          seen = version;
          recorded(changes.records().get(i));
        }
      }
    }
    return reply;
  }

  /** Called when a process is first told of a record. */
  abstract void recorded(ControlRecord record);
}
