package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.wire.entry.Hash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * The idempotency keys in a checkpoint: files of {@link KeyRun}, the oldest first, and the most
 * recent keys.
 *
 * @param runs the oldest first; if two have the same key, the later counts
 */
public record StoredKeys(List<KeyRun> runs) {
  /** The name of the keys' directory in a checkpoint. */
  public static final String DIRECTORY = "keys";

  /** The name of the file of keys that the copy had in memory. */
  static final String RECENT = "recent";

  /** The largest number of keys in one file. */
  static final int RUN_MAX = 80_000;

  /** Opens the keys of a checkpoint. */
  public static StoredKeys of(Path checkpoint) throws IOException {
    Path directory = checkpoint.resolve(DIRECTORY);
    if (!Files.exists(directory)) {
      return new StoredKeys(List.of());
    }
    List<Path> files;
    try (Stream<Path> listed = Files.list(directory)) {
      // Numbers sort before letters.
      files = listed.sorted(Comparator.comparing(path -> path.getFileName().toString())).toList();
    }
    List<KeyRun> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(KeyRun.open(file));
    }
    return new StoredKeys(runs);
  }

  /** Returns the name of a run. Names sort as runs do. */
  static String name(int number) {
    return String.format("%08d", number);
  }

  /** Returns the update that was applied with a key, even if the key is forgotten by now. */
  public Optional<AppliedKey> find(Hash name) {
    for (KeyRun run : runs.reversed()) {
      Optional<AppliedKey> found = run.find(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Returns all keys, by name, each once. */
  public Iterator<AppliedKey> sorted() {
    return sorted(runs);
  }

  /**
   * Returns the keys of runs, by name, each once.
   *
   * @param runs the oldest first
   */
  public static Iterator<AppliedKey> sorted(List<KeyRun> runs) {
    PriorityQueue<Reading> readings =
        new PriorityQueue<>(
            Comparator.comparing((Reading one) -> one.next.name())
                .thenComparing(one -> one.age, Comparator.reverseOrder()));
    for (int age = 0; age < runs.size(); age++) {
      Reading reading = new Reading(runs.get(age).iterator(), age);
      if (reading.advance()) {
        readings.add(reading);
      }
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !readings.isEmpty();
      }

      @Override
      public AppliedKey next() {
        AppliedKey key = readings.element().next;
        while (!readings.isEmpty() && readings.element().next.name().equals(key.name())) {
          Reading reading = readings.remove();
          if (reading.advance()) {
            readings.add(reading);
          }
        }
        return key;
      }
    };
  }

  /** One run that is being read. */
  private static final class Reading {
    private final Iterator<AppliedKey> rest;
    private final int age;
    private AppliedKey next;

    Reading(Iterator<AppliedKey> rest, int age) {
      this.rest = rest;
      this.age = age;
    }

    boolean advance() {
      boolean more = rest.hasNext();
      if (more) {
        next = rest.next();
      }
      return more;
    }
  }
}
