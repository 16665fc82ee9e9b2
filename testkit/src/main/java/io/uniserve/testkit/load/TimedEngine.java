package io.uniserve.testkit.load;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An engine of actors without data. Their operators occupy a worker thread for a fixed time and use
 * no processor, so each of several servers on one machine has a capacity of its own.
 */
public final class TimedEngine implements Engine<TimedEngine.Timed> {
  /** The name that tables of this engine give. */
  public static final String NAME = "timed";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Timed create(ActorContext context) {
    return new Timed();
  }

  @Override
  public Timed deserialize(ActorContext context) {
    return new Timed();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Serve.class, One.class);
  }

  /** An actor without data. */
  public static final class Timed implements Actor {
    @Override
    public void serialize(Path directory) {
      // an empty directory is all that an actor serializes
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // The actor holds nothing that must be closed.
    }
  }

  /** The answer of one actor that has served. */
  public record One() {}

  /**
   * An operator that serves a query.
   *
   * @param millis the time that it takes
   */
  public record Serve(int millis) implements Operator.Retrieve<Timed, One> {
    @Override
    public void retrieve(Timed actor, Output<One> values, OperatorContext context) {
      try {
        TimeUnit.MILLISECONDS.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
      }
      values.put(new One());
    }

    /** Returns a query of all actors that counts the actors that have served. */
    public Plan<Integer> plan(String table) {
      return Plan.query(table, this, Count::new);
    }
  }

  private static final class Count implements Operator.Combiner<One, Integer> {
    private int served;

    @Override
    public void add(int actor, One value) {
      served++;
    }

    @Override
    public Integer result() {
      return served;
    }
  }
}
