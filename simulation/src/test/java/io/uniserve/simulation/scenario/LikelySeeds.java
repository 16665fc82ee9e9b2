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

/**
 * For each planted defect a seed that noticed it soon when this was last looked for. Whatever
 * changes the course of runs may make it another, which costs time and nothing else.
 */
final class LikelySeeds {
  private static final Path FILE =
      Path.of("src/test/resources/io/uniserve/simulation/scenario/likely-seeds.txt");

  private static final SortedMap<String, Long> SEEDS = read();

  private LikelySeeds() {}

  static synchronized OptionalLong of(String defect) {
    Long seed = SEEDS.get(defect);
    return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
  }

  /** Writes a seed down. */
  static synchronized void put(String defect, long seed) {
    SEEDS.put(defect, seed);
    List<String> lines = new ArrayList<>();
    SEEDS.forEach((name, likely) -> lines.add(likely + " " + name));
    try {
      Files.write(FILE, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SortedMap<String, Long> read() {
    SortedMap<String, Long> seeds = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(FILE)) {
        int space = line.indexOf(' ');
        seeds.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seeds;
  }
}
