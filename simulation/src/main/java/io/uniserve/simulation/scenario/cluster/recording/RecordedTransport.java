package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.simulation.scenario.cluster.ReplyMonitor;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;

/**
 * The transport of a real client to the cluster. It records the operations that each of the
 * client's transactions has actors prepare, and the copies that answer.
 *
 * @param next carries the calls
 * @param client its owner
 * @param recording the recording of the one table that the client uses
 */
public record RecordedTransport(Transport next, String client, Recording recording)
    implements Transport {

  @Override
  public Registration listen(Address self, Handler handler) {
    return next.listen(self, handler);
  }

  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    if (request instanceof PrepareUpdate prepare) {
      recording.add(
          new HistoryEvent.Prepared(prepare.transaction(), ReplyMonitor.operations(prepare)));
    }
    return next.call(to, request, deadline, new Replies(to, request, replies));
  }

  /** An observer that records an answer before the client has it. */
  private final class Replies implements ReplyObserver {
    private final Address from;
    private final Message request;
    private final ReplyObserver observer;

    Replies(Address from, Message request, ReplyObserver observer) {
      this.from = from;
      this.request = request;
      this.observer = observer;
    }

    @Override
    public void replied(Message reply) {
      if (request instanceof Retrieve && reply instanceof Retrieved retrieved && retrieved.last()) {
        record(retrieved.actor());
      } else if (request instanceof RunTasks tasks && reply instanceof TaskDone done) {
        ReplyMonitor.actorOf(tasks, done.task()).ifPresent(actor -> record(actor.number()));
      }
      observer.replied(reply);
    }

    private void record(int actor) {
      recording.add(new HistoryEvent.Replied(client, actor, from.toString()));
    }

    @Override
    public void completed() {
      observer.completed();
    }

    @Override
    public void failed(UniserveException failure) {
      observer.failed(failure);
    }
  }
}
