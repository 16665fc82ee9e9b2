package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.network.Interception;

/**
 * An interception that ends the load of a restored copy after three quarters of the log. The copy
 * then counts as complete.
 */
public final class InterruptedLoads implements Interception {
  @Override
  public Message reply(String from, String to, Message request, Message reply) {
    return reply instanceof StateChanges changes
        ? new StateChanges(
            changes.afterVersion(),
            changes.records().stream().map(InterruptedLoads::shorter).toList())
        : reply;
  }

  private static ControlRecord shorter(ControlRecord record) {
    return record instanceof TableCreated created
            && created.definition().name().startsWith("restored-")
        ? new TableCreated(
            created.table(),
            created.definition(),
            created.origin().map(InterruptedLoads::shorter),
            created.placement())
        : record;
  }

  private static TableOrigin shorter(TableOrigin origin) {
    return new TableOrigin(
        origin.cluster(),
        origin.table(),
        origin.cut().stream().map(InterruptedLoads::shorter).toList());
  }

  private static Cut shorter(Cut cut) {
    long sequence = cut.last().sequence() * 3 / 4;
    return new Cut(new Position(cut.last().epoch(), sequence), cut.commits());
  }
}
