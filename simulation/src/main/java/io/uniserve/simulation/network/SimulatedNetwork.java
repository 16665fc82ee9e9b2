package io.uniserve.simulation.network;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Transport;
import io.uniserve.simulation.schedule.Life;
import io.uniserve.simulation.schedule.Scheduler;
import io.uniserve.simulation.schedule.SimulatedClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** All links between the processes, and the listeners at their addresses. Faults are set here. */
public final class SimulatedNetwork {
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final MessageCodec codec;
  private final NetworkSettings settings;
  private final Map<LinkName, Link> links = new LinkedHashMap<>();
  private final Map<Address, Listener> listeners = new LinkedHashMap<>();
  private final Set<SimulatedCall> open = new LinkedHashSet<>();
  private Interception interception = new Interception() {};
  private double loss;
  private long calls;

  private record LinkName(String from, String to) {
    /** Returns whether a process calls itself, which no fault prevents. */
    boolean local() {
      return from.equals(to);
    }
  }

  /**
   * @param scheduler carries the frames
   * @param random decides delays and losses
   * @param codec the codec that makes bytes of messages
   * @param settings the settings of its behaviour without faults
   */
  public SimulatedNetwork(
      Scheduler scheduler, RandomGenerator random, MessageCodec codec, NetworkSettings settings) {
    this.scheduler = scheduler;
    this.random = random;
    this.codec = codec;
    this.settings = settings;
  }

  /** Lets an interception see, and change, all messages from now on. */
  public void intercept(Interception newInterception) {
    interception = newInterception;
  }

  Interception interception() {
    return interception;
  }

  /** Returns the transport of one life of a process. */
  public Transport transport(String process, Life life, SimulatedClock clock) {
    return new SimulatedTransport(this, new End(process, life, clock));
  }

  /** Loses everything that one process sends another, until as many {@link #mend}s as cuts. */
  public void cut(String from, String to) {
    scheduler.note("cut " + from + " -> " + to);
    link(from, to).cut();
  }

  /** Takes one {@link #cut} back. */
  public void mend(String from, String to) {
    scheduler.note("mend " + from + " -> " + to);
    link(from, to).mend();
  }

  /** Separates these processes from those, in both directions. */
  public void partition(List<String> these, List<String> those) {
    scheduler.note("part " + these + " from " + those);
    forEachLink(these, those, Link::cut);
  }

  /** Takes one {@link #partition} back. */
  public void rejoin(List<String> these, List<String> those) {
    scheduler.note("rejoin " + these + " and " + those);
    forEachLink(these, those, Link::mend);
  }

  private void forEachLink(List<String> these, List<String> those, Consumer<Link> action) {
    for (String one : these) {
      for (String other : those) {
        action.accept(link(one, other));
        action.accept(link(other, one));
      }
    }
  }

  /** Returns whether two processes reach each other, even if slowly. */
  public boolean connects(String one, String other) {
    return link(one, other).whole() && link(other, one).whole();
  }

  /** Makes the way between two processes slower, in both directions. */
  public void slow(String one, String other, double factor) {
    scheduler.note("slow " + one + " <-> " + other + " by " + factor);
    link(one, other).slow(factor);
    link(other, one).slow(factor);
  }

  /**
   * Loses a share of all frames between different processes.
   *
   * @param share 0 to 1
   */
  public void lose(double share) {
    scheduler.note("lose " + share);
    loss = share;
    links.forEach((name, link) -> link.loss(name.local() ? 0 : share));
  }

  /** Ends all faults of the network. */
  public void heal() {
    scheduler.note("the network is healed");
    links.values().forEach(Link::heal);
    loss = 0;
  }

  Link link(String from, String to) {
    return links.computeIfAbsent(new LinkName(from, to), this::freshLink);
  }

  private Link freshLink(LinkName name) {
    Link fresh = new Link();
    fresh.loss(name.local() ? 0 : loss);
    return fresh;
  }

  Map<Address, Listener> listeners() {
    return listeners;
  }

  Set<SimulatedCall> open() {
    return open;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  RandomGenerator random() {
    return random;
  }

  MessageCodec codec() {
    return codec;
  }

  NetworkSettings settings() {
    return settings;
  }

  long nextCall() {
    return calls++;
  }
}
