package io.uniserve.bench.keyvalue;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The entries of one actor, in a database of its own. */
final class KeyValueActor implements KeyValueData {
  private static final String FILE = "entries.sqlite";

  private final KeyValueDatabase database;

  private KeyValueActor(KeyValueDatabase database) {
    this.database = database;
  }

  /** Opens the actor in a directory, which is empty if the actor is new. */
  static KeyValueActor in(Path directory) {
    return new KeyValueActor(KeyValueDatabase.open(directory.resolve(FILE)));
  }

  /** Returns the file of the actor in a directory. */
  static Path file(Path directory) {
    return directory.resolve(FILE);
  }

  void put(List<Entry> entries) {
    database.put(entries);
  }

  void commit() {
    database.commit();
  }

  void abort() {
    database.abort();
  }

  @Override
  public long puts() {
    try (KeyValueDatabase.Reader reader = database.read()) {
      return reader.puts();
    }
  }

  @Override
  public void serialize(Path directory) throws IOException {
    database.copyTo(directory.resolve(FILE));
  }

  @Override
  public Optional<Actor> snapshot() {
    return Optional.of(new KeyValueSnapshot(database.read()));
  }

  @Override
  public Usage usage() {
    return new Usage(0, database.sizeBytes());
  }

  @Override
  public void close() {
    database.close();
  }
}
