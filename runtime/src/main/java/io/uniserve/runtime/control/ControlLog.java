package io.uniserve.runtime.control;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The control records of a cluster with one router, on its disk. What {@link #append} has returned
 * survives any crash.
 */
final class ControlLog implements Closeable {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(ControlRecord.class));

  private final FramedFile file;

  private ControlLog(FramedFile file) {
    this.file = file;
  }

  /** Opens the log and tells what it holds. */
  static ControlLog open(Storage storage, Path path, List<ControlRecord> recovered)
      throws IOException {
    List<ControlRecord> records = new ArrayList<>();
    FramedFile file =
        FramedFile.open(
            storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> decode(bytes, records));
    recovered.addAll(records);
    return new ControlLog(file);
  }

  private static void decode(ByteBuffer bytes, List<ControlRecord> records) {
    Decoder in = new Decoder(bytes);
    while (in.remaining() > 0) {
      records.add((ControlRecord) TYPES.read(in));
    }
  }

  /** Appends records and forces them; after a crash all of them are there, or none. */
  void append(List<ControlRecord> records) {
    long before = file.size();
    try {
      // One frame, since only the last may be unfinished.
      Encoder out = new Encoder();
      records.forEach(record -> TYPES.write(record, out));
      file.append(out.toByteBuffer());
      file.force();
    } catch (IOException e) {
      throw undone(before, e);
    }
  }

  private UniserveException undone(long size, IOException cause) {
    try {
      file.truncate(size);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    return new UniserveException(
        ErrorCode.EXHAUSTED, "the control log cannot be written: " + cause.getMessage(), cause);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
