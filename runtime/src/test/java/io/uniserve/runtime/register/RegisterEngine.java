package io.uniserve.runtime.register;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Engine;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** An engine of values by key whose updates answer, at every level. */
public final class RegisterEngine implements Engine<RegisterEngine.Register> {
  public static final String NAME = "register";

  /** The greatest size of one answered value. */
  private static final int VALUE_BYTES_MAX = 100;

  private final Queue<Integer> calls = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch held = new CountDownLatch(1);
  private volatile CountDownLatch released = new CountDownLatch(0);

  /** Has the next updates wait until {@link #release}. */
  public void hold() {
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  /** Waits until an update waits. */
  public void awaitHeld() throws InterruptedException {
    held.await();
  }

  public void release() {
    released.countDown();
  }

  /** Returns how many updates each call had. */
  public Queue<Integer> calls() {
    return calls;
  }

  private void called(int updates) {
    calls.add(updates);
    held.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The values of an actor. */
  public static final class Register implements Actor {
    private final RegisterEngine engine;
    private final TreeMap<String, String> values = new TreeMap<>();
    private Optional<TreeMap<String, String>> prepared = Optional.empty();
    private Answer answer = Answer.NONE;

    Register(RegisterEngine engine) {
      this.engine = engine;
    }

    @Override
    public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
      engine.called(updates.size());
      return Actor.super.updateAll(updates);
    }

    public Map<String, String> values() {
      return values;
    }

    @Override
    public void serialize(Path directory) throws IOException {
      List<String> lines = new ArrayList<>();
      values.forEach((key, value) -> lines.add(key + "=" + value));
      Files.write(directory.resolve("values"), lines);
    }

    @Override
    public Optional<Actor> snapshot() {
      Register copy = new Register(engine);
      copy.values.putAll(values);
      return Optional.of(copy);
    }

    @Override
    public void retain(Predicate<PartitionKey> kept) {
      values.keySet().removeIf(key -> !kept.test(PartitionKey.of(key)));
    }

    @Override
    public Optional<PartitionKey> middle() {
      List<String> keys = List.copyOf(values.keySet());
      return keys.size() < 2
          ? Optional.empty()
          : Optional.of(PartitionKey.of(keys.get(keys.size() / 2)));
    }

    @Override
    public void absorb(Actor other) {
      values.putAll(((Register) other).values);
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // nothing but memory
    }
  }

  /** A value of a key. */
  public record Value(String key, String value) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(key);
    }
  }

  /** An update at any level, which changes a copy of the values and answers. */
  interface Changing
      extends UpdateFunction.Eventual<Register, Value>,
          UpdateFunction.Serializable<Register, Value>,
          UpdateFunction.Ordered<Register, Value> {
    /** Changes the values of an actor; returns the answer. */
    Answer change(Register actor, TreeMap<String, String> values, List<Value> records);

    @Override
    default Answer update(Register actor, List<Value> records) {
      prepare(actor, records);
      commit(actor);
      return actor.answer;
    }

    @Override
    default boolean prepare(Register actor, List<Value> records) {
      TreeMap<String, String> next = new TreeMap<>(actor.values);
      actor.answer = change(actor, next, records);
      actor.prepared = Optional.of(next);
      return true;
    }

    @Override
    default Answer answer(Register actor) {
      return actor.answer;
    }

    @Override
    default void commit(Register actor) {
      actor.values.clear();
      actor.values.putAll(actor.prepared.orElseThrow());
      actor.prepared = Optional.empty();
    }

    @Override
    default void abort(Register actor) {
      actor.prepared = Optional.empty();
    }
  }

  /** An update that answers with the former value of each record, null if there was none. */
  public record Put() implements Changing {
    @Override
    public int answerBytesMax(int records) {
      return 10 + VALUE_BYTES_MAX * records;
    }

    @Override
    public Answer change(Register actor, TreeMap<String, String> values, List<Value> records) {
      List<String> former = new ArrayList<>();
      for (Value record : records) {
        if (record.value().equals("refused")) {
          throw UniserveException.invalid("no value '" + record.value() + "'");
        }
        former.add(values.put(record.key(), record.value()));
      }
      return Answer.each(former);
    }
  }

  /** An update that removes everything, and answers with the number of values. */
  public record Clear() implements Changing {
    @Override
    public int answerBytesMax(int records) {
      return 20;
    }

    @Override
    public Answer change(Register actor, TreeMap<String, String> values, List<Value> records) {
      long count = values.size();
      values.clear();
      return Answer.of(count);
    }
  }

  /** An update that says how large its answer may be, and answers with some text. */
  public record Boast(int said, int given) implements Changing {
    @Override
    public int answerBytesMax(int records) {
      return said;
    }

    @Override
    public Answer change(Register actor, TreeMap<String, String> values, List<Value> records) {
      records.forEach(record -> values.put(record.key(), record.value()));
      return Answer.of("x".repeat(given));
    }
  }

  @Override
  public String name() {
    return NAME;
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
  public Register create(ActorContext context) {
    return new Register(this);
  }

  @Override
  public Register deserialize(ActorContext context) throws IOException {
    Register register = new Register(this);
    for (String line : Files.readAllLines(context.directory().resolve("values"))) {
      int equals = line.indexOf('=');
      register.values.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return register;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Value.class, Put.class, Clear.class, Boast.class);
  }
}
