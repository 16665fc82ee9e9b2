package io.uniserve.runtime.cluster;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import java.util.ArrayList;
import java.util.List;

/** The changes of cluster state on their way to one process, which a test can hold back. */
final class HeldNews {
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean held;

  /** Holds back all changes from now on. */
  synchronized void hold() {
    held = true;
  }

  /** Delivers what was held back, and all that comes. */
  synchronized void release() {
    held = false;
    waiting.forEach(Runnable::run);
    waiting.clear();
  }

  private synchronized void deliver(Runnable news) {
    if (held) {
      waiting.add(news);
    } else {
      news.run();
    }
  }

  /** Returns a transport whose subscriptions of cluster state go through here. */
  Transport over(Transport transport) {
    return new Transport() {
      @Override
      public Registration listen(Address self, Handler handler) {
        return transport.listen(self, handler);
      }

      @Override
      public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
        return transport.call(
            to, request, deadline, request instanceof Subscribe ? new Delayed(replies) : replies);
      }
    };
  }

  /** The subscriber, who hears each thing later, and all in order. */
  private final class Delayed implements Transport.ReplyObserver {
    private final Transport.ReplyObserver subscriber;

    Delayed(Transport.ReplyObserver subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void replied(Message reply) {
      deliver(() -> subscriber.replied(reply));
    }

    @Override
    public void completed() {
      deliver(subscriber::completed);
    }

    @Override
    public void failed(UniserveException failure) {
      deliver(() -> subscriber.failed(failure));
    }
  }
}
