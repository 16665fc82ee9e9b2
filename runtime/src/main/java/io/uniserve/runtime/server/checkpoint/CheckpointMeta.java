package io.uniserve.runtime.server.checkpoint;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.Since;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.server.keys.Watermark;
import io.uniserve.runtime.server.keys.Watermarks;
import io.uniserve.runtime.wire.entry.Forms;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The runtime's own data beside an engine's files in every checkpoint.
 *
 * @param position the position of the last update in it
 * @param timeMillis the time of that update, see {@link io.uniserve.runtime.wire.entry.LogEntry}
 * @param version the version of the table that the last transaction in it gave, 0 before the first
 * @param generation the generation of the actor's keys, see {@link
 *     io.uniserve.api.partition.Partitioner#generation}
 * @param order the place that the actor has reached in the order of its table
 * @param watermarks the offsets that the actor has reached in the partitions of streams
 */
@Name("CheckpointMeta")
public record CheckpointMeta(
    Position position,
    long timeMillis,
    long version,
    int generation,
    ReceivedOrder.Stored order,
    @Since(2) List<Watermark> watermarks) {
  /** Creates the data of an actor without ordered updates. */
  public CheckpointMeta(Position position, long timeMillis, long version, int generation) {
    this(position, timeMillis, version, generation, ReceivedOrder.Stored.NONE, List.of());
  }

  /** Returns the data of a new, empty actor. */
  public static CheckpointMeta start(int generation) {
    return new CheckpointMeta(Position.START, 0, 0, generation);
  }

  static final Form FORM = Forms.of("a checkpoint", CheckpointMeta.class);

  /** The name of this data's file in a checkpoint. */
  public static final String FILE = "meta";

  /**
   * Returns the same data for a table that is restored from this one: see {@link
   * LogEntry#inNewTable}.
   */
  public CheckpointMeta inNewTable(Position other) {
    return new CheckpointMeta(other, timeMillis, 0, generation, order.inNewTable(), watermarks);
  }

  /**
   * Returns the data of an actor that is split off this one. The part has received every update
   * that the whole has.
   */
  public CheckpointMeta ofPart(Position other, long millis, int newGeneration) {
    return new CheckpointMeta(
        other, Math.max(millis, timeMillis), version, newGeneration, order, watermarks);
  }

  /**
   * Returns the data of an actor that is merged from this one and another.
   *
   * @param own the number of this actor
   * @param second the checkpoint of the other
   * @param its the number of the other
   * @param ownKeys the idempotency keys of this actor
   * @param itsKeys the idempotency keys of the other
   */
  public CheckpointMeta with(
      int own,
      StoredKeys ownKeys,
      CheckpointMeta second,
      int its,
      StoredKeys itsKeys,
      Position start,
      long millis,
      int newGeneration) {
    return new CheckpointMeta(
        start,
        Math.max(millis, Math.max(timeMillis, second.timeMillis)),
        Math.max(version, second.version),
        newGeneration,
        ReceivedOrder.of(
            new ReceivedOrder.Part(own, order, name -> ownKeys.find(name).isPresent()),
            new ReceivedOrder.Part(its, second.order, name -> itsKeys.find(name).isPresent())),
        Watermarks.ofTwo(own, watermarks, its, second.watermarks));
  }

  public void write(Path directory) throws IOException {
    Files.write(directory.resolve(FILE), FORM.encode(this));
  }

  public static CheckpointMeta read(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve(FILE));
    try {
      return decode(bytes);
    } catch (UniserveException e) {
      CheckpointSums.check(directory); // a damaged file is reported as damaged
      throw e;
    }
  }

  /** Returns whether a program wrote this data that had no checksums of checkpoints yet. */
  static boolean isOfFirstVersion(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return false;
    }
    byte[] bytes = Files.readAllBytes(file);
    return bytes.length > 1 && bytes[0] == Form.MARK && bytes[1] == 1;
  }

  public static CheckpointMeta decode(byte[] bytes) {
    return FORM.decode(ByteBuffer.wrap(bytes), CheckpointMeta.class);
  }
}
