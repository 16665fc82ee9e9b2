package io.uniserve.node.notes;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** Notes in memory. */
public final class NotesActor implements Actor {
  static final String FILE = "notes.tsv";

  private final ConcurrentSkipListMap<String, Note> notes = new ConcurrentSkipListMap<>();

  void put(Note note) {
    notes.put(note.id(), note);
  }

  List<Note> find(String part) {
    return notes.values().stream().filter(note -> note.text().contains(part)).toList();
  }

  @Override
  public void serialize(Path directory) throws IOException {
    Files.write(
        directory.resolve(FILE),
        notes.values().stream().map(note -> note.id() + "\t" + note.text()).toList());
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    notes.values().removeIf(note -> !kept.test(note.partitionKey()));
  }

  @Override
  public void absorb(Actor other) {
    notes.putAll(((NotesActor) other).notes);
  }

  @Override
  public Usage usage() {
    return new Usage(100L * notes.size(), 0);
  }

  @Override
  public void close() {
    notes.clear();
  }
}
