package io.uniserve.simulation.network;

import java.util.function.Consumer;

/**
 * A lane that carries the frames of one call in one direction, in order, to the process at its end.
 * Once one is lost, or the receiving process has ended, nothing more arrives.
 */
final class Lane {
  private final SimulatedNetwork network;
  private final Link link;
  private final End to;
  private final Consumer<Frame> receiver;
  private final Runnable whenBroken;
  private long latestArrival;
  private boolean broken;

  Lane(SimulatedNetwork network, Link link, End to, Consumer<Frame> receiver, Runnable whenBroken) {
    this.network = network;
    this.link = link;
    this.to = to;
    this.receiver = receiver;
    this.whenBroken = whenBroken;
  }

  void send(Frame frame) {
    if (broken) {
      return;
    }
    if (!to.life().alive() || link.loses(network.random())) {
      broken = true;
      whenBroken.run();
      return;
    }
    long arrival =
        network.scheduler().nanos() + link.delayNanos(network.settings(), network.random());
    latestArrival = Math.max(latestArrival, arrival);
    to.life().at(latestArrival, () -> receiver.accept(frame));
  }
}
