package io.uniserve.runtime.cluster;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** An engine that sums amounts by key in memory, so that its answers are known. */
final class TallyEngine implements Engine<TallyEngine.Tallies> {
  /** The servers, by name, that refuse updates for want of room. */
  static final Set<String> FULL = new ConcurrentSkipListSet<>();

  /** The servers, by name, whose updates wait until they are taken out. */
  static final Set<String> HELD = new ConcurrentSkipListSet<>();

  /** The servers, by name, whose {@link Waiting} reads wait until they are taken out. */
  static final Set<String> READS_HELD = new ConcurrentSkipListSet<>();

  /** The number of {@link Waiting} reads that have begun. */
  static final AtomicInteger READS_BEGUN = new AtomicInteger();

  /** The interval in which held work checks whether it may go on, or is cancelled. */
  static final long HELD_NANOS = 200_000;

  /** The servers, by name, that make no actors. */
  static final Set<String> UNMAKING = new ConcurrentSkipListSet<>();

  /** The number of times that actors cannot be opened, by server. */
  static final Map<String, Integer> UNOPENABLE = new ConcurrentHashMap<>();

  /** The number of times that actors cannot show their updates, by server. */
  static final Map<String, Integer> UNSHOWABLE = new ConcurrentHashMap<>();

  /** The actors that were opened, by number, once for each time. */
  static final Queue<Integer> OPENED = new ConcurrentLinkedQueue<>();

  static final class Tallies implements Actor {
    private final Map<String, Long> sums = new ConcurrentSkipListMap<>();
    private final Path home;
    private List<Amount> prepared = List.of();
    private volatile boolean failed;
    private volatile boolean unwritable;
    private volatile long shown;

    Tallies(Path home) {
      this.home = home;
    }

    @Override
    public Optional<Actor> snapshot() {
      Tallies then = new Tallies(home);
      then.sums.putAll(sums);
      return Optional.of(then);
    }

    private long total() {
      return sums.values().stream().mapToLong(Long::longValue).sum();
    }

    private String server() {
      return home.getParent().getParent().getParent().getFileName().toString();
    }

    Map<String, Long> sums() {
      return sums;
    }

    Path home() {
      return home;
    }

    @Override
    public void serialize(Path directory) throws IOException {
      if (unwritable) {
        throw new IOException("nothing can be written");
      }
      List<String> lines = new ArrayList<>();
      sums.forEach((key, sum) -> lines.add(key + "=" + sum));
      Files.write(directory.resolve("sums"), lines);
    }

    @Override
    public void refresh() throws IOException {
      if (isOnce(UNSHOWABLE, this)) {
        throw new IOException("nothing can be shown");
      }
      shown = total();
    }

    @Override
    public void retain(Predicate<PartitionKey> kept) {
      sums.keySet().removeIf(key -> !kept.test(PartitionKey.of(key)));
    }

    @Override
    public void absorb(Actor other) {
      ((Tallies) other).sums.forEach((key, sum) -> sums.merge(key, sum, Long::sum));
    }

    @Override
    public Optional<PartitionKey> middle() {
      List<String> keys = List.copyOf(sums.keySet());
      return keys.size() < 2
          ? Optional.empty()
          : Optional.of(PartitionKey.of(keys.get(keys.size() / 2)));
    }

    @Override
    public Usage usage() {
      failIfAsked("no usage");
      return new Usage(sums.size() * 64L, 0);
    }

    @Override
    public boolean failed() {
      return failed;
    }

    @Override
    public void close() {
      failIfAsked("no close");
    }

    private void failIfAsked(String key) {
      if (sums.containsKey(key)) {
        throw new IllegalStateException("a defect of the engine");
      }
    }
  }

  record Amount(String key, long amount) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(key);
    }
  }

  /** Another record of this engine, which no update takes. */
  record Label(String key) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(key);
    }
  }

  /**
   * An update that refuses negative amounts, and fails badly on 6_666_666 and worse on 7_777_777.
   */
  record Add()
      implements UpdateFunction.Eventual<Tallies, Amount>,
          UpdateFunction.Serializable<Tallies, Amount>,
          UpdateFunction.Ordered<Tallies, Amount> {
    @Override
    public Answer update(Tallies actor, List<Amount> records) {
      prepare(actor, records);
      commit(actor);
      return Answer.NONE;
    }

    @Override
    public boolean prepare(Tallies actor, List<Amount> records) {
      while (isOnOneOf(HELD, actor)) {
        LockSupport.parkNanos(HELD_NANOS);
      }
      if (isOnOneOf(FULL, actor)) {
        throw new UniserveException(ErrorCode.EXHAUSTED, "no room at " + actor.home);
      }
      for (Amount record : records) {
        if (record.amount() < 0) {
          throw UniserveException.invalid("a negative amount of '" + record.key() + "'");
        }
        if (record.amount() == 6_666_666) {
          throw new IllegalStateException("a defect of the engine");
        }
        if (record.amount() == 7_777_777) {
          throw new OutOfMemoryError("made up by the test");
        }
      }
      actor.prepared = List.copyOf(records);
      return true;
    }

    @Override
    public void commit(Tallies actor) {
      actor.prepared.forEach(record -> actor.sums.merge(record.key(), record.amount(), Long::sum));
      actor.prepared = List.of();
    }

    @Override
    public void abort(Tallies actor) {
      actor.prepared = List.of();
    }

    private static boolean isOnOneOf(Set<String> servers, Tallies actor) {
      return servers.stream().anyMatch(name -> actor.home.toString().contains("/" + name + "/"));
    }
  }

  record Sums() implements Operator.Retrieve<Tallies, Object> {
    @Override
    public void retrieve(Tallies input, Output<Object> values, OperatorContext context) {
      input.sums.forEach((key, sum) -> values.put(List.of(key, sum)));
    }
  }

  record Total() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      if (input.failed) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "the files failed");
      }
      values.put(input.total());
    }
  }

  /** The total as of the last refresh. */
  record Shown() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      values.put(input.shown);
    }
  }

  /** The total, after it has occupied a thread for some milliseconds. */
  record Busy(int millis) implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      long end = System.nanoTime() + millis * 1_000_000L;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      context.reportCost(1);
      values.put(input.total());
    }
  }

  /** The total, but on the servers of this name it runs until it is cancelled. */
  record Stuck(String server) implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      boolean stuck = input.home.toString().contains("/" + server + "/");
      while (stuck) {
        context.checkCancelled();
        LockSupport.parkNanos(HELD_NANOS);
      }
      values.put(input.total());
    }
  }

  /** The total, which is handed on at once by servers whose reads wait until they are taken out. */
  record Waiting() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      values.put(input.total());
      READS_BEGUN.incrementAndGet();
      while (Add.isOnOneOf(READS_HELD, input)) {
        context.checkCancelled();
        LockSupport.parkNanos(HELD_NANOS);
      }
    }
  }

  /** An operator after which the actor answers nothing any more, since its files have failed. */
  record Spoil() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      input.failed = true;
    }
  }

  /** An operator after which the actor object writes no checkpoint any more. */
  record SpoilWriting() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      input.unwritable = true;
    }
  }

  /**
   * An operator that fails, as if its files were damaged, on every actor object that has not
   * answered it before.
   */
  record Flaky() implements Operator.Retrieve<Tallies, Long> {
    @Override
    public void retrieve(Tallies input, Output<Long> values, OperatorContext context) {
      if (input.sums.putIfAbsent("flaky", 0L) == null) {
        values.put(1_000_000L);
        throw new IllegalStateException("damaged");
      }
      values.put(input.total());
    }
  }

  /** The name of the thread that it runs on; it fails on an actor of this number. */
  record ThreadName(boolean brief, int failing) implements Operator.Retrieve<Tallies, String> {
    @Override
    public void retrieve(Tallies input, Output<String> values, OperatorContext context) {
      if (context.actor() == failing) {
        throw UniserveException.invalid("actor " + context.actor() + " fails");
      }
      values.put(Thread.currentThread().getName());
    }
  }

  /** Returns an operator that adds numbers, and counts how many actors gave one. */
  static Operator.Combine<Long, List<Long>> adding() {
    return () ->
        new Operator.Combiner<>() {
          private long total;
          private long actors;

          @Override
          public void add(int actor, Long value) {
            total += value;
            actors++;
          }

          @Override
          public List<Long> result() {
            return List.of(total, actors);
          }
        };
  }

  static Operator.Combine<Object, Map<String, Long>> collecting() {
    return () ->
        new Operator.Combiner<>() {
          private final Map<String, Long> all = new TreeMap<>();

          @Override
          public void add(int actor, Object value) {
            List<?> pair = (List<?>) value;
            all.merge((String) pair.getFirst(), (Long) pair.getLast(), Long::sum);
          }

          @Override
          public Map<String, Long> result() {
            return all;
          }
        };
  }

  @Override
  public String name() {
    return "tally";
  }

  /** Checks a definition; fails badly on a schema that asks for it. */
  @Override
  public void validate(TableDefinition table) {
    if (table.schema().containsKey("defect")) {
      throw new IllegalStateException("a defect of the engine");
    }
  }

  private static boolean isOnce(Map<String, Integer> leftByServer, Tallies actor) {
    return leftByServer.computeIfPresent(
            actor.server(), (name, left) -> left == 0 ? null : left - 1)
        != null;
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean splits() {
    return true;
  }

  @Override
  public boolean merges() {
    return true;
  }

  @Override
  public Tallies create(ActorContext context) {
    Tallies tallies = new Tallies(context.directory());
    if (UNMAKING.contains(tallies.server())) {
      throw new IllegalStateException("no actor is made here");
    }
    return tallies;
  }

  @Override
  public Tallies deserialize(ActorContext context) throws IOException {
    OPENED.add(context.actor());
    Tallies tallies = new Tallies(context.directory());
    if (isOnce(UNOPENABLE, tallies)) {
      throw new IOException("too many open files");
    }
    for (String line : Files.readAllLines(context.directory().resolve("sums"))) {
      int equals = line.lastIndexOf('=');
      tallies.sums.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
    }
    return tallies;
  }

  @Override
  public List<Class<? extends Record>> types() {
    List<Class<? extends Record>> types =
        new ArrayList<>(
            List.of(
                Amount.class,
                Label.class,
                Add.class,
                Sums.class,
                Total.class,
                Shown.class,
                Busy.class,
                Stuck.class,
                Waiting.class,
                Spoil.class,
                Flaky.class,
                ThreadName.class));
    types.addAll(TallyOperators.TYPES);
    return types;
  }
}
