package io.uniserve.simulation.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * For each planted defect, a seed that noticed it early in the last search. The seeds are kept in a
 * file with one line for each defect. A change of the runs may make another seed the earlier one.
 * The search then takes longer, but its result stays correct.
 */
final class LikelySeeds {
  /** The seeds of this module. */
  static final LikelySeeds KEPT =
      new LikelySeeds(
          Path.of("src/test/resources/io/uniserve/simulation/scenario/likely-seeds.txt"));

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private final SortedMap<String, Long> seeds;

  LikelySeeds(Path file) {
    this.file = file;
    try {
      seeds = read(Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  OptionalLong of(String defect) {
    lock.lock();
    try {
      Long seed = seeds.get(defect);
      return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    } finally {
      lock.unlock();
    }
  }

  /** Records the seed of a defect. */
  void put(String defect, long seed) {
    lock.lock();
    try {
      seeds.put(defect, seed);
      List<String> lines = new ArrayList<>();
      seeds.forEach((name, likely) -> lines.add(likely + " " + name));
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private SortedMap<String, Long> read(List<String> lines) {
    SortedMap<String, Long> read = new TreeMap<>();
    for (String line : lines) {
      String[] parts = line.split(" ", 2);
      if (parts.length < 2 || !parts[0].matches("\\d{1,18}")) {
        throw new IllegalArgumentException(file + ": '" + line + "' is not a seed and a defect");
      }
      read.put(parts[1], Long.parseLong(parts[0]));
    }
    return read;
  }
}
