package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The idempotency keys of the updates that an actor has applied within the last {@link
 * UpdateKey#LIFETIME}, by the time of its log: an update whose key is among them is not applied
 * again, and is answered as the first was. At most {@link #MEMORY_MAX} keys and {@link
 * #ANSWERS_MAX} bytes of answers are in memory, and the others in files. Up to {@link
 * #FILTERED_MAX} keys in files take a byte of a filter each, once a client looks for keys of its
 * own. For one thread at a time.
 */
public final class RecentKeys {
  /** The number of keys in memory, which take about 2 MB. */
  static final int MEMORY_MAX = 10_000;

  /** The size of the answers in memory, in bytes, from which on the keys are written to a file. */
  static final long ANSWERS_MAX = 4L << 20;

  /** The most keys in files that have filters, a byte each. */
  static final int FILTERED_MAX = 4_000_000;

  /** The number of small files that are merged into one. */
  private static final int SMALL_RUNS_MAX = 8;

  private static final Logger LOG = LoggerFactory.getLogger(RecentKeys.class);

  private final Path directory;
  private final int memoryMax;
  private final Map<Hash, AppliedKey> memory = new LinkedHashMap<>();
  private final List<KeyRun> runs = new ArrayList<>();
  private final Map<KeyRun, KeyFilter> filters = new LinkedHashMap<>();
  private int number;
  private int spillAt;
  private long answersInMemory;
  private long answersSpillAt = ANSWERS_MAX;

  /**
   * Creates an empty set of keys.
   *
   * @param directory a directory for its files only, which does not exist yet
   */
  public RecentKeys(Path directory) {
    this(directory, MEMORY_MAX);
  }

  public RecentKeys(Path directory, int memoryMax) {
    this.directory = directory;
    this.memoryMax = memoryMax;
    this.spillAt = memoryMax;
  }

  /** Adds the keys of a checkpoint, which may be deleted then. */
  public RecentKeys load(Path checkpoint) throws IOException {
    for (KeyRun run : StoredKeys.of(checkpoint).runs()) {
      String name = run.file().getFileName().toString();
      if (name.equals(StoredKeys.RECENT)) {
        run.iterator().forEachRemaining(this::put);
      } else {
        Files.createDirectories(directory);
        Path own = directory.resolve(name);
        number = Integer.parseInt(name) + 1;
        Files.createLink(own, run.file());
        runs.add(KeyRun.open(own));
      }
    }
    return this;
  }

  /** Adds keys sorted by name, before any others. */
  public RecentKeys load(Iterator<AppliedKey> sorted) throws IOException {
    while (sorted.hasNext()) {
      runs.add(KeyRun.write(nextFile(), sorted, StoredKeys.RUN_MAX));
    }
    return this;
  }

  private Path nextFile() throws IOException {
    Files.createDirectories(directory);
    return directory.resolve(StoredKeys.name(number++));
  }

  /**
   * Returns the update that was applied with a key.
   *
   * @param timeMillis the time of the actor's log
   * @throws DamagedKeysException if that is not known, since a file is damaged
   */
  public Optional<AppliedKey> find(UpdateKey key, long timeMillis) {
    AppliedKey recent = memory.get(key.name());
    Optional<AppliedKey> found = Optional.ofNullable(recent);
    for (int i = runs.size() - 1; i >= 0 && found.isEmpty(); i--) {
      KeyRun run = runs.get(i);
      // A key contains when it was made. It is in no file whose keys are all forgotten before that.
      boolean possible =
          run.untilMillis() >= timeMillis && run.untilMillis() >= key.untilMillis(key.bornMillis());
      found = possible && mayHave(run, key.name()) ? run.find(key.name()) : Optional.empty();
    }
    return found.filter(known -> known.untilMillis() >= timeMillis);
  }

  private boolean mayHave(KeyRun run, Hash name) {
    KeyFilter filter = filters.get(run);
    if (filter == null) {
      long filtered = filters.keySet().stream().mapToLong(KeyRun::count).sum();
      if (filtered + run.count() > FILTERED_MAX) {
        return true;
      }
      filter = new KeyFilter(run.iterator(), run.count());
      filters.put(run, filter);
    }
    return filter.mayHave(name);
  }

  /**
   * Notes that all of the actor has applied an update.
   *
   * @param timeMillis the present time, by the time of its log
   * @param answer the answer of its function; of a former actor, merged into this one, that had
   *     applied it to its own records, the answer is known already
   * @throws DamagedKeysException if that answer cannot be read, since a file is damaged
   */
  public void add(UpdateKey key, Position position, long timeMillis, Optional<GivenAnswer> answer) {
    List<GivenAnswer> answers = new ArrayList<>();
    if (answer.isPresent()) {
      find(key, timeMillis).ifPresent(before -> answers.addAll(before.answers()));
      answers.add(answer.get());
    }
    put(
        new AppliedKey(
            key.name(), key.body(), position, key.untilMillis(timeMillis), List.of(), answers));
    forget(timeMillis);
    if (memory.size() > spillAt || answersInMemory > answersSpillAt) {
      spill(timeMillis);
    }
  }

  private void put(AppliedKey key) {
    AppliedKey before = memory.remove(key.name());
    memory.put(key.name(), key);
    answersInMemory += key.answerBytes() - (before == null ? 0 : before.answerBytes());
  }

  private void forget(long timeMillis) {
    Iterator<AppliedKey> keys = memory.values().iterator();
    while (keys.hasNext()) {
      AppliedKey oldest = keys.next();
      if (oldest.untilMillis() >= timeMillis) {
        return;
      }
      keys.remove();
      answersInMemory -= oldest.answerBytes();
    }
  }

  /**
   * Writes the keys in memory to a file. If the disk has no room for it, keys stay in memory, and
   * only as many as needed.
   */
  private void spill(long timeMillis) {
    try {
      runs.add(KeyRun.write(nextFile(), sorted(), Integer.MAX_VALUE));
      memory.clear();
      answersInMemory = 0;
      spillAt = memoryMax;
      answersSpillAt = ANSWERS_MAX;
      drop(timeMillis);
      merge();
    } catch (IOException e) {
      LOG.warn(
          "{} idempotency keys cannot be written to a file and stay in memory: {}",
          memory.size(),
          e.toString());
      spillAt = memory.size() + memoryMax / 10 + 1;
      answersSpillAt = answersInMemory + ANSWERS_MAX / 10;
    }
  }

  private Iterator<AppliedKey> sorted() {
    return memory.values().stream().sorted(Comparator.comparing(AppliedKey::name)).iterator();
  }

  private void drop(long timeMillis) throws IOException {
    for (KeyRun run : List.copyOf(runs)) {
      if (run.untilMillis() < timeMillis) {
        Files.deleteIfExists(run.file());
        runs.remove(run);
        filters.remove(run);
      }
    }
  }

  /** Merges small files, so that a search looks into few. */
  private void merge() throws IOException {
    List<KeyRun> small = new ArrayList<>();
    for (KeyRun run : runs.reversed()) {
      if (run.count() > memoryMax + memoryMax / 2
          || run.answersBytes() > ANSWERS_MAX + ANSWERS_MAX / 2) {
        break;
      }
      small.addFirst(run);
    }
    if (small.size() < SMALL_RUNS_MAX) {
      return;
    }
    KeyRun one;
    try {
      one = KeyRun.write(nextFile(), StoredKeys.sorted(small), Integer.MAX_VALUE);
    } catch (DamagedKeysException e) {
      // Whoever looks for one of these keys finds the damage, too, before anything is applied.
      LOG.warn("files of idempotency keys are not merged: {}", e.getMessage());
      return;
    }
    runs.removeAll(small);
    filters.keySet().removeAll(small);
    runs.add(one);
    for (KeyRun old : small) {
      Files.deleteIfExists(old.file());
    }
  }

  /** Writes all keys into a checkpoint. */
  public void write(Path checkpoint) throws IOException {
    Path keys = Files.createDirectory(checkpoint.resolve(StoredKeys.DIRECTORY));
    for (KeyRun run : runs) {
      Files.createLink(keys.resolve(run.file().getFileName()), run.file());
    }
    if (!memory.isEmpty()) {
      KeyRun.write(keys.resolve(StoredKeys.RECENT), sorted(), Integer.MAX_VALUE);
    }
  }

  /** Deletes the files. Checkpoints have files of their own. */
  public void close() {
    try {
      for (int i = 0; i < number; i++) {
        Files.deleteIfExists(directory.resolve(StoredKeys.name(i)));
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      LOG.warn("idempotency keys in {} cannot be deleted: {}", directory, e.toString());
    }
  }
}
