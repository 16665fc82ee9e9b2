package io.uniserve.simulation.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What of a disk would survive a crash of the machine: which names led to which files when
 * something was last forced, and what was forced of each file. A hidden hard link to each file
 * keeps its contents reachable after its name is gone.
 */
final class DurableImage {
  private final Path root;
  private final Path links;
  private final SortedMap<Path, Object> names = new TreeMap<>();
  private final Map<Object, Forced> forced = new LinkedHashMap<>();

  /** What is durable of one file: its first bytes as they are now, or a copy of all. */
  private sealed interface Forced {
    record Prefix(long length) implements Forced {}

    record Copy(byte[] bytes) implements Forced {}
  }

  DurableImage(Path root, Path links) throws IOException {
    this.root = root;
    this.links = Files.createDirectory(links);
  }

  /** A file that only grows: cheap, since nothing is copied. */
  void forcePrefix(Path file, long length) throws IOException {
    if (Files.exists(file)) {
      Object identity = linked(file);
      forced.put(identity, new Forced.Prefix(length));
      names.put(file, identity);
    }
  }

  void cutPrefix(Path file, long length) throws IOException {
    forced.computeIfPresent(
        identity(file),
        (key, value) ->
            switch (value) {
              case Forced.Prefix(long was) -> new Forced.Prefix(Math.min(was, length));
              case Forced.Copy(byte[] was) ->
                  new Forced.Copy(Arrays.copyOf(was, (int) Math.min(was.length, length)));
            });
  }

  /** A file, or a directory with all below it; and, with it, all names on the disk. */
  void force(Path path) throws IOException {
    for (Path file : regularFiles(path)) {
      forced.put(linked(file), new Forced.Copy(contents(file)));
    }
    forceNames();
  }

  /** All names on the disk. */
  void forceNames() throws IOException {
    names.clear();
    for (Path file : regularFiles(root)) {
      names.put(file, linked(file));
    }
    dropUnnamed();
  }

  void crash(RandomGenerator random) throws IOException {
    if (random.nextBoolean()) {
      restoreNames();
    }
    Map<Object, Path> files = new LinkedHashMap<>();
    for (Path file : regularFiles(root)) {
      files.putIfAbsent(identity(file), file);
    }
    for (Map.Entry<Object, Path> file : files.entrySet()) {
      settle(file.getValue(), durableBytes(file.getKey()), random);
    }
    force(root);
  }

  private void restoreNames() throws IOException {
    for (Path file : regularFiles(root)) {
      if (!identity(file).equals(names.get(file))) {
        Files.delete(file);
      }
    }
    for (Map.Entry<Path, Object> name : names.entrySet()) {
      if (!Files.exists(name.getKey())) {
        Files.createDirectories(name.getKey().getParent());
        Files.createLink(name.getKey(), link(name.getValue()));
      }
    }
  }

  private void settle(Path file, byte[] durable, RandomGenerator random) throws IOException {
    byte[] now = contents(file);
    byte[] after;
    if (now.length >= durable.length
        && Arrays.equals(durable, 0, durable.length, now, 0, durable.length)) {
      after = TornTail.of(now, durable.length, random);
    } else {
      after = random.nextBoolean() ? now : durable;
    }
    Files.write(file, after);
  }

  private byte[] durableBytes(Object identity) throws IOException {
    return switch (forced.get(identity)) {
      case null -> new byte[0];
      case Forced.Copy(byte[] bytes) -> bytes;
      case Forced.Prefix(long length) -> Arrays.copyOf(contents(link(identity)), (int) length);
    };
  }

  private void dropUnnamed() throws IOException {
    Set<Object> named = new HashSet<>(names.values());
    for (Path link : regularFiles(links)) {
      Object identity = identity(link);
      if (!named.contains(identity)) {
        forced.remove(identity);
        Files.delete(link);
      }
    }
  }

  private Object linked(Path file) throws IOException {
    Object identity = identity(file);
    if (!Files.exists(link(identity))) {
      Files.createLink(link(identity), file);
    }
    return identity;
  }

  private Path link(Object identity) {
    return links.resolve(identity.toString());
  }

  private static Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** By a stream, because an interrupt of the calling thread would close a channel. */
  private static byte[] contents(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readAllBytes();
    }
  }

  private static List<Path> regularFiles(Path path) throws IOException {
    try (Stream<Path> paths = Files.walk(path)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
