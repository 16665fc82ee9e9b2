package io.uniserve.runtime.server;

import io.uniserve.api.UniserveException;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.Name;
import io.uniserve.runtime.wire.Forms;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the runtime keeps beside an engine's files in every checkpoint.
 *
 * @param position of the last update in it
 * @param timeMillis of that update, see {@link io.uniserve.runtime.wire.LogEntry}
 * @param version of the table that the last transaction in it gave, 0 before the first
 * @param generation of the actor's keys, see {@link io.uniserve.api.Partitioner#generation}
 * @param order how far the actor has got in the order of its table
 */
@Name("CheckpointMeta")
record CheckpointMeta(
    Position position, long timeMillis, long version, int generation, ReceivedOrder.Stored order) {
  /** Of an actor that has got no ordered updates. */
  CheckpointMeta(Position position, long timeMillis, long version, int generation) {
    this(position, timeMillis, version, generation, ReceivedOrder.Stored.NONE);
  }

  /** Of a new and empty actor. */
  static CheckpointMeta start(int generation) {
    return new CheckpointMeta(Position.START, 0, 0, generation);
  }

  static final Form FORM = Forms.of("a checkpoint", CheckpointMeta.class);

  /** Its name in a checkpoint. */
  static final String FILE = "meta";

  /** The same in a table that is made of what this one was: see {@link LogEntry#inNewTable}. */
  CheckpointMeta inNewTable(Position other) {
    return new CheckpointMeta(other, timeMillis, 0, generation, order.inNewTable());
  }

  /**
   * The same of an actor that begins at a time as a part of this one: it has got what the whole had
   * got.
   */
  CheckpointMeta ofPart(Position other, long millis, int newGeneration) {
    return new CheckpointMeta(other, Math.max(millis, timeMillis), version, newGeneration, order);
  }

  /**
   * Of an actor that begins at a time as all of this and another.
   *
   * @param own the number of this actor
   * @param second the checkpoint of the other
   * @param its the number of that
   * @param ownKeys the idempotency keys of this one
   * @param itsKeys those of the other
   */
  CheckpointMeta with(
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
            new ReceivedOrder.Part(its, second.order, name -> itsKeys.find(name).isPresent())));
  }

  void write(Path directory) throws IOException {
    Files.write(directory.resolve(FILE), FORM.encode(this));
  }

  static CheckpointMeta read(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve(FILE));
    try {
      return decode(bytes);
    } catch (UniserveException e) {
      CheckpointSums.check(directory); // what is damaged is told as that
      throw e;
    }
  }

  static CheckpointMeta decode(byte[] bytes) {
    return FORM.decode(ByteBuffer.wrap(bytes), CheckpointMeta.class);
  }
}
