package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Stable;
import io.uniserve.runtime.wire.OrderedMessage.Stamped;
import io.uniserve.runtime.wire.OrderedMessage.SubmitSession;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Request;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of ordered updates is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class OrderDefectsTest {
  private static final Engines ENGINES = new Engines(List.of(new ModelEngine()));

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an actor applies an ordered update before the one that precedes it",
            EnumSet.of(
                ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, TOTAL_ORDER),
            () -> (Request) OrderDefectsTest::unordered),
        new Defect(
            "an update that is submitted again is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            SubmittedAnew::new),
        new Defect(
            "an update that is delivered again is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES, TOTAL_ORDER),
            DeliveredAnew::new),
        new Defect(
            "an ordered update is not sent to its last actor",
            EnumSet.of(
                ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, EXACT_ANSWER),
            () -> (Request) OrderDefectsTest::withoutLast),
        new Defect(
            "one actor is sent two ordered updates in the wrong order",
            EnumSet.of(ATOMIC_UPDATES, SAME_ORDER_ON_COPIES),
            () -> (Request) OrderDefectsTest::swapped),
        new Defect(
            "two updates of a session get each other's place",
            EnumSet.of(ATOMIC_UPDATES, SAME_ORDER_ON_COPIES, TOTAL_ORDER),
            () -> (Request) OrderDefectsTest::overtaken),
        new Defect(
            "an update of a session gets a place and loses its records",
            EnumSet.of(
                ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, TOTAL_ORDER),
            () -> (Request) OrderDefectsTest::emptied),
        new Defect(
            "the next leader gives a number again",
            EnumSet.of(ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            NumbersAgain::new),
        new Defect(
            "a copy answers a read of one place with what it has now",
            EnumSet.of(ATOMIC_UPDATES, TOTAL_ORDER),
            () -> (Request) OrderDefectsTest::newest),
        new Defect(
            "a read is given a mark that another read has been given before",
            EnumSet.of(TOTAL_ORDER, READ_AFTER_ACKNOWLEDGEMENT),
            FormerMarks::new),
        new Defect(
            "a read of a session gets the place before the update that precedes it",
            EnumSet.of(TOTAL_ORDER),
            ReadsEarly::new),
        new Defect(
            "a copy that waits for a primary is taken for complete, whatever it has not got",
            EnumSet.of(ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            () -> (Request) DefectsTest::overstated),
        new Defect(
            "a primary of ordered updates keeps its lease after it was given up",
            EnumSet.of(ONE_PRIMARY),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Lease ? new Lease(Duration.ofHours(1)) : reply));
  }

  private static Message unordered(Message request) {
    return request instanceof Deliver deliver
        ? new Deliver(
            deliver.actor(),
            deliver.generation(),
            deliver.updates().reversed().stream()
                .map(update -> with(update, update.place(), update.records()))
                .toList(),
            deliver.marks())
        : request;
  }

  private static Message withoutLast(Message request) {
    if (!(request instanceof Deliver deliver)) {
      return request;
    }
    List<Delivery> updates =
        deliver.updates().stream().map(update -> withoutLast(deliver, update)).toList();
    return new Deliver(deliver.actor(), deliver.generation(), updates, deliver.marks());
  }

  private static Delivery withoutLast(Deliver deliver, Delivery update) {
    List<Integer> actors = update.place().actors();
    return actors.size() > 1 && actors.getLast() == deliver.actor().number()
        ? with(update, update.place(), Payload.of(ModelEngine.NAME, List.of()))
        : update;
  }

  /**
   * Returns the update at another place with other records, to follow whatever the actor has
   * received.
   */
  private static Delivery with(Delivery update, OrderPlace place, Payload records) {
    return new Delivery(place, 0, update.timeMillis(), update.key(), update.function(), records);
  }

  /** Returns the request with two updates exchanged, but not their places. */
  private static Message swapped(Message request) {
    if (!(request instanceof Deliver deliver)
        || deliver.updates().size() < 2
        || deliver.actor().number() != 0) {
      return request;
    }
    List<Delivery> updates = new ArrayList<>(deliver.updates());
    Delivery first = updates.get(0);
    Delivery second = updates.get(1);
    updates.set(0, with(second, first.place(), second.records()));
    updates.set(1, with(first, second.place(), first.records()));
    return new Deliver(deliver.actor(), deliver.generation(), updates, deliver.marks());
  }

  /** Returns the request with the first two updates of a session exchanged. */
  private static Message overtaken(Message request) {
    if (!(request instanceof SubmitSession submit) || submit.updates().size() < 2) {
      return request;
    }
    List<SessionUpdate> updates = new ArrayList<>(submit.updates());
    Collections.swap(updates, 0, 1);
    return with(submit, updates);
  }

  private static boolean isRead(SessionUpdate update) {
    return !update.function().bytes(ENGINES).hasRemaining();
  }

  /** Returns the request with a read of the newest data instead of one place in the order. */
  private static Message newest(Message request) {
    return request instanceof Retrieve retrieve && retrieve.point().isPresent()
        ? new Retrieve(
            retrieve.table(),
            retrieve.actors(),
            retrieve.generations(),
            retrieve.operator(),
            retrieve.brief(),
            Optional.empty())
        : request;
  }

  /** An interception that tells each mark again to those who ask in the next seconds. */
  private static final class FormerMarks implements Answer {
    private static final int TIMES = 10;
    private Stamped former;
    private int times;

    @Override
    public Message changed(Message request, Message reply) {
      if (!(reply instanceof Stamped stamped)) {
        return reply;
      }
      if (former == null || times++ == TIMES) {
        former = stamped;
        times = 0;
      }
      return former;
    }
  }

  /**
   * An interception that gives the first read of a session's request the place of the update that
   * precedes it, and that update the read's.
   */
  private static final class ReadsEarly implements Interception {
    /** The places of the reads in their requests, by sessions and the numbers of the requests. */
    private final Map<Map.Entry<Hash, Long>, Integer> reads = new HashMap<>();

    @Override
    public Message request(String from, String to, Message request) {
      if (!(request instanceof SubmitSession submit)) {
        return request;
      }
      List<SessionUpdate> updates = new ArrayList<>(submit.updates());
      for (int i = 1; i < updates.size(); i++) {
        if (isRead(updates.get(i)) && !isRead(updates.get(i - 1))) {
          Collections.swap(updates, i - 1, i);
          reads.put(Map.entry(submit.session(), submit.first()), i);
          return with(submit, updates);
        }
      }
      return request;
    }

    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      if (!(request instanceof SubmitSession submit) || !(reply instanceof Stable stable)) {
        return reply;
      }
      Integer read = reads.get(Map.entry(submit.session(), submit.first()));
      if (read == null || read >= stable.numbers().size()) {
        return reply;
      }
      List<Long> numbers = new ArrayList<>(stable.numbers());
      Collections.swap(numbers, read - 1, read);
      return new Stable(numbers, stable.withheld());
    }
  }

  /** Returns the request with a session's first update without its records. */
  private static Message emptied(Message request) {
    if (!(request instanceof SubmitSession submit)) {
      return request;
    }
    List<SessionUpdate> updates = new ArrayList<>(submit.updates());
    List<Portion> portions =
        updates.getFirst().portions().stream()
            .map(
                portion ->
                    new Portion(
                        portion.actor(),
                        portion.generation(),
                        Payload.of(ModelEngine.NAME, List.of())))
            .toList();
    updates.set(0, new SessionUpdate(updates.getFirst().function(), portions));
    return with(submit, updates);
  }

  private static SubmitSession with(SubmitSession submit, List<SessionUpdate> updates) {
    return new SubmitSession(
        submit.table(), submit.session(), submit.bornMillis(), submit.first(), updates);
  }

  private static final class SubmittedAnew implements Request {
    private long sent;

    @Override
    public Message changed(Message request) {
      return request instanceof SubmitUpdate submit
          ? new SubmitUpdate(
              submit.table(),
              OtherKeys.of(submit.key(), sent++),
              submit.function(),
              submit.portions())
          : request;
    }
  }

  /**
   * An interception that gives other numbers to deliveries. The coordinator is not told of them.
   */
  private abstract static class Renumbering implements Interception {
    private final Map<Map.Entry<ActorId, Long>, Long> originals = new HashMap<>();

    /** Returns the same update under another number. */
    abstract Delivery renumbered(ActorId actor, Delivery update);

    abstract boolean concerns(String controller);

    @Override
    public Message request(String from, String to, Message request) {
      if (!(request instanceof Deliver deliver) || !concerns(from)) {
        return request;
      }
      List<Delivery> updates = new ArrayList<>();
      for (Delivery update : deliver.updates()) {
        Delivery other = renumbered(deliver.actor(), update);
        originals.put(Map.entry(deliver.actor(), other.place().number()), update.place().number());
        updates.add(other);
      }
      return new Deliver(deliver.actor(), deliver.generation(), updates, deliver.marks());
    }

    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      if (!(request instanceof Deliver deliver)
          || !(reply instanceof Delivered delivered)
          || !concerns(to)) {
        return reply;
      }
      List<Result> results = new ArrayList<>();
      for (Result result : delivered.results()) {
        results.add(
            new Result(
                originals.get(Map.entry(deliver.actor(), result.number())),
                result.position(),
                result.refusal(),
                result.answers()));
      }
      return new Delivered(results, Optional.empty());
    }
  }

  /** An interception that gives every delivery a number and a key of its own. */
  private static final class DeliveredAnew extends Renumbering {
    private long last;

    @Override
    boolean concerns(String controller) {
      return true;
    }

    @Override
    Delivery renumbered(ActorId actor, Delivery update) {
      long number = ++last;
      return new Delivery(
          new OrderPlace(number, number - 1, update.place().actors()),
          0,
          update.timeMillis(),
          OtherKeys.of(update.key(), number),
          update.function(),
          update.records());
    }
  }

  /**
   * An interception that makes every controller but the first reuse the number of the preceding
   * delivery.
   */
  private static final class NumbersAgain extends Renumbering {
    private String first = "";

    @Override
    boolean concerns(String controller) {
      first = first.isEmpty() ? controller : first;
      return !first.equals(controller);
    }

    @Override
    Delivery renumbered(ActorId actor, Delivery update) {
      long number = Math.max(1, update.place().previous());
      OrderPlace place = new OrderPlace(number, number - 1, update.place().actors());
      return with(update, place, update.records());
    }
  }

  /**
   * Returns a cluster with three copies of four actors, and the faults that depose primaries and
   * leaders.
   */
  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            3,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    List<FaultKind> faults =
        List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.PAUSE);
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, OrderDefectsTest::shape);
  }
}
