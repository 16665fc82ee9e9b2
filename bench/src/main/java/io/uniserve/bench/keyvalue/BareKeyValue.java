package io.uniserve.bench.keyvalue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The copies of one actor without a cluster: each entry is put into one after the other. */
public final class BareKeyValue implements AutoCloseable {
  private final List<KeyValueActor> copies = new ArrayList<>();
  private final Put put = new Put();

  /**
   * @param directory the directory in which each copy gets one
   */
  public BareKeyValue(Path directory, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      copies.add(KeyValueActor.in(Files.createDirectories(directory.resolve("copy" + i))));
    }
  }

  /** Puts an entry into each copy. */
  public void put(Entry entry) {
    copies.forEach(copy -> put.update(copy, List.of(entry)));
  }

  /** Returns how many entries were put into the first copy. */
  public long puts() {
    return copies.getFirst().puts();
  }

  @Override
  public void close() {
    copies.forEach(KeyValueActor::close);
  }
}
