package io.uniserve.bench.ordered;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An engine of parts on which every operation takes a fixed time, and whose copies are as large as
 * the table says. It stores nothing but the number of writes.
 */
public final class StorageEngine implements Engine<StorageEngine.Part> {
  static final String NAME = "storage";
  static final String MEGABYTES = "megabytes";
  private static final String FILE = "part";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Part create(ActorContext context) {
    return new Part(0, sizeBytes(context));
  }

  @Override
  public Part deserialize(ActorContext context) throws IOException {
    byte[] file = Files.readAllBytes(context.directory().resolve(FILE));
    return new Part(ByteBuffer.wrap(file).getLong(), sizeBytes(context));
  }

  private static int sizeBytes(ActorContext context) {
    return ((Number) context.table().schema().get(MEGABYTES)).intValue() << 20;
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Place.class, Write.class, Read.class);
  }

  /** One part. */
  public static final class Part implements Actor {
    private final int sizeBytes;
    private volatile long writes;

    private Part(long writes, int sizeBytes) {
      this.writes = writes;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public void serialize(Path directory) throws IOException {
      ByteBuffer file = ByteBuffer.allocate(Math.max(Long.BYTES, sizeBytes));
      Files.write(directory.resolve(FILE), file.putLong(0, writes).array());
    }

    @Override
    public Optional<Actor> snapshot() {
      return Optional.of(new Part(writes, sizeBytes));
    }

    @Override
    public Usage usage() {
      return new Usage(0, sizeBytes);
    }

    @Override
    public void close() {
      // a number need not be closed
    }
  }

  /** A key. */
  public record Place(long number) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(number);
    }
  }

  /**
   * A write.
   *
   * @param micros the time that a part takes for it
   * @param payload a text that travels with it
   */
  public record Write(long micros, String payload) implements UpdateFunction.Ordered<Part, Place> {
    @Override
    public Answer update(Part part, List<Place> places) {
      take(micros);
      part.writes++;
      return Answer.NONE;
    }
  }

  /**
   * A read, which gives the number of writes.
   *
   * @param micros the time that a part takes for it
   */
  public record Read(long micros) implements Operator.Retrieve<Part, Long> {
    @Override
    public void retrieve(Part part, Output<Long> writes, OperatorContext context) {
      take(micros);
      writes.put(part.writes);
    }
  }

  /** Occupies the thread for a time, as an operation on a machine of its own would. */
  private static void take(long micros) {
    if (micros == 0) {
      return;
    }
    try {
      TimeUnit.MICROSECONDS.sleep(micros);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UniserveException.of(e);
    }
  }
}
