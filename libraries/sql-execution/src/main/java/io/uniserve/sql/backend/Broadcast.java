package io.uniserve.sql.backend;

import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The rows of an earlier stage.
 *
 * @param name the stage's name, under which statements read them
 * @param blocks Arrow streams, at least one
 */
@Name("Shipped")
public record Broadcast(String name, List<ByteBuffer> blocks) {
  /** Copies the list. */
  public Broadcast {
    blocks = List.copyOf(blocks);
  }

  /** Returns the bytes that they occupy. */
  public long bytes() {
    return blocks.stream().mapToLong(ByteBuffer::remaining).sum();
  }
}
