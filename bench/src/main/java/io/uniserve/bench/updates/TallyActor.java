package io.uniserve.bench.updates;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A number, and the amounts that prepared transactions will add to it. */
final class TallyActor implements Actor {
  private static final String FILE = "tally";

  private volatile long tally;
  private long prepared;

  TallyActor(long tally) {
    this.tally = tally;
  }

  static TallyActor read(Path directory) throws IOException {
    return new TallyActor(Long.parseLong(Files.readString(directory.resolve(FILE))));
  }

  long tally() {
    return tally;
  }

  void prepare(long added) {
    prepared = added;
  }

  void commit() {
    tally += prepared;
    prepared = 0;
  }

  void abort() {
    prepared = 0;
  }

  @Override
  public void serialize(Path directory) throws IOException {
    Files.writeString(directory.resolve(FILE), Long.toString(tally));
  }

  @Override
  public Optional<Actor> snapshot() {
    return Optional.of(new TallyActor(tally));
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
