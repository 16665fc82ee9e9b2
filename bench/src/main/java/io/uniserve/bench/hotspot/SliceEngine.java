package io.uniserve.bench.hotspot;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;
import java.util.List;

/** An engine of data slices that are all of one size and take a fixed time to query. */
public final class SliceEngine implements Engine<SliceEngine.Slice> {
  static final String NAME = "slices";
  private static final long SLICE_BYTES = 64L << 20;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Slice create(ActorContext context) {
    return new Slice();
  }

  @Override
  public Slice deserialize(ActorContext context) {
    return new Slice();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Serve.class, Served.class);
  }

  /** One slice. It reports the same size as any other. */
  public static final class Slice implements Actor {
    @Override
    public void serialize(Path directory) {
      // There is no data: the empty directory is complete.
    }

    @Override
    public Usage usage() {
      return new Usage(SLICE_BYTES, SLICE_BYTES);
    }

    @Override
    public void close() {
      // The slice holds nothing that must be closed.
    }
  }

  /**
   * An operator that occupies a worker thread for a fixed time, as a query on a machine of its own
   * would.
   *
   * @param micros the time in microseconds
   */
  public record Serve(long micros) implements Operator.Retrieve<Slice, Served> {
    @Override
    public void retrieve(Slice slice, Output<Served> values, OperatorContext context) {
      try {
        Thread.sleep(micros / 1_000, (int) (micros % 1_000) * 1_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw UniserveException.of(e);
      }
      context.reportCost(micros);
      values.put(new Served());
    }
  }

  /** An answer. */
  public record Served() {}
}
