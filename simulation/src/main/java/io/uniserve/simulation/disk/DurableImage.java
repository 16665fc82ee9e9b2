package io.uniserve.simulation.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The part of a disk that would survive a crash of the machine: the names that each directory had
 * when it was last forced, and the forced contents of each file. A hidden hard link to each file
 * with such a name keeps its contents reachable after the name is gone.
 */
final class DurableImage implements Forcing {
  /** The number of forces between two sweeps, since a sweep walks the whole disk. */
  private static final int FORCES_BETWEEN_SWEEPS = 64;

  private final Path root;
  private final Path links;

  /** The durable names of each directory, by its identity. */
  private final Map<Object, Map<String, Named>> names = new LinkedHashMap<>();

  private final Map<Object, Forced> forced = new LinkedHashMap<>();

  /** The ranges of each file that can be read and were lost when a force failed. */
  private final Map<Object, List<Range>> dropped = new LinkedHashMap<>();

  private final Set<Object> linked = new LinkedHashSet<>();
  private int forces;

  /** The target of a name. */
  private record Named(Object identity, boolean directory) {}

  private record Range(int from, int to) {}

  /** The durable part of one file: its first bytes as they are now, or a copy of all. */
  private sealed interface Forced {
    record Prefix(long length) implements Forced {}

    record Copy(byte[] bytes) implements Forced {}
  }

  DurableImage(Path root, Path links) throws IOException {
    this.root = root;
    this.links = Files.createDirectory(links);
  }

  /** Notes that the first bytes are durable. It is cheap, since nothing is copied. */
  @Override
  public void forcePrefix(Path file, long length) throws IOException {
    if (Files.exists(file)) {
      forced.put(named(file).identity(), new Forced.Prefix(length));
    }
  }

  @Override
  public void cutPrefix(Path file, long length) throws IOException {
    dropped.computeIfPresent(
        named(file).identity(),
        (key, ranges) ->
            ranges.stream()
                .filter(range -> range.from() < length)
                .map(range -> new Range(range.from(), (int) Math.min(range.to(), length)))
                .toList());
    forced.computeIfPresent(
        named(file).identity(),
        (key, value) ->
            switch (value) {
              case Forced.Prefix(long was) -> new Forced.Prefix(Math.min(was, length));
              case Forced.Copy(byte[] was) ->
                  new Forced.Copy(Arrays.copyOf(was, (int) Math.min(was.length, length)));
            });
  }

  @Override
  public void force(Path path) throws IOException {
    Named what = named(path);
    if (what.directory()) {
      for (String name : list(path).keySet()) {
        force(path.resolve(name));
      }
      forceNames(path);
    } else {
      byte[] bytes = without(what.identity(), contents(path));
      forced.put(what.identity(), new Forced.Copy(bytes));
    }
  }

  @Override
  public void drop(Path path, RandomGenerator random) throws IOException {
    Named what = named(path);
    if (what.directory()) {
      for (String name : list(path).keySet()) {
        drop(path.resolve(name), random);
      }
      return;
    }
    int size = (int) Files.size(path);
    int durable =
        switch (forced.get(what.identity())) {
          case null -> 0;
          case Forced.Copy(byte[] bytes) -> bytes.length;
          case Forced.Prefix(long length) -> (int) length;
        };
    if (durable < size) {
      List<Range> all = new ArrayList<>(dropped.getOrDefault(what.identity(), List.of()));
      all.add(new Range(durable, size));
      dropped.put(what.identity(), List.copyOf(all));
      if (random.nextBoolean()) {
        // The system needs the memory for something else.
        overwrite(path, durable, new byte[size - durable]);
      }
    }
  }

  /** Returns the durable contents of a file: zeroes where a force failed. */
  private byte[] without(Object identity, byte[] bytes) {
    for (Range range : dropped.getOrDefault(identity, List.of())) {
      Arrays.fill(
          bytes,
          Math.min(range.from(), bytes.length),
          Math.min(range.to(), bytes.length),
          (byte) 0);
    }
    return bytes;
  }

  /** Changes a file's contents, durable ones included; returns false if nothing changes. */
  boolean rot(Path file, Rot.Change change) throws IOException {
    byte[] before = contents(file);
    byte[] now = before.clone();
    System.arraycopy(change.bytes(), 0, now, change.at(), change.bytes().length);
    if (Arrays.equals(before, now)) {
      return false;
    }
    overwrite(file, change.at(), change.bytes());
    if (forced.get(named(file).identity()) instanceof Forced.Copy(byte[] bytes)
        && change.at() < bytes.length) {
      int length = Math.min(change.bytes().length, bytes.length - change.at());
      System.arraycopy(change.bytes(), 0, bytes, change.at(), length);
    }
    return true;
  }

  private static void overwrite(Path file, int at, byte[] bytes) throws IOException {
    boolean interrupted = Thread.interrupted(); // an interrupt would close the channel
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), at);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    Map<String, Named> now = list(directory);
    for (Map.Entry<String, Named> name : now.entrySet()) {
      Object identity = name.getValue().identity();
      if (!name.getValue().directory() && linked.add(identity)) {
        Files.createLink(link(identity), directory.resolve(name.getKey()));
      }
    }
    names.put(named(directory).identity(), now);
    if (++forces % FORCES_BETWEEN_SWEEPS == 0) {
      sweep();
    }
  }

  /** Forgets files that neither a crash nor anybody now can find. */
  private void sweep() throws IOException {
    Set<Object> durable = new HashSet<>();
    Set<Object> present = new HashSet<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        Named here = named(path);
        present.add(here.identity());
        if (here.directory()) {
          reach(here.identity(), durable); // its own name may be forced later
        }
      }
    }
    for (Object identity : List.copyOf(linked)) {
      if (!durable.contains(identity)) {
        linked.remove(identity);
        Files.delete(link(identity));
      }
    }
    durable.addAll(present);
    names.keySet().retainAll(durable);
    forced.keySet().retainAll(durable);
    dropped.keySet().retainAll(durable);
  }

  private void reach(Object directory, Set<Object> found) {
    if (!found.add(directory)) {
      return;
    }
    for (Named child : names.getOrDefault(directory, Map.of()).values()) {
      if (child.directory()) {
        reach(child.identity(), found);
      } else {
        found.add(child.identity());
      }
    }
  }

  void crash(RandomGenerator random) throws IOException {
    Map<Object, Path> now = new LinkedHashMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted().toList()) {
        now.putIfAbsent(named(path).identity(), path);
      }
    }
    Map<Path, Named> after = new LinkedHashMap<>();
    settleNames(root, now, new HashSet<>(), after, random);
    Map<Object, byte[]> settled = new LinkedHashMap<>();
    for (Named name : after.values()) {
      if (!name.directory() && !settled.containsKey(name.identity())) {
        settled.put(name.identity(), settled(name.identity(), now, random));
      }
    }
    replaceAll(after, settled);
  }

  /**
   * Gives each directory its present names, or those of its last force. A name that was moved to
   * another directory is in one of the two.
   */
  private void settleNames(
      Path directory,
      Map<Object, Path> now,
      Set<Object> placed,
      Map<Path, Named> after,
      RandomGenerator random)
      throws IOException {
    Object identity =
        directory.equals(root) ? named(root).identity() : after.get(directory).identity();
    Path present = now.get(identity);
    boolean kept = random.nextBoolean() && present != null;
    Map<String, Named> chosen = kept ? list(present) : names.getOrDefault(identity, Map.of());
    for (Map.Entry<String, Named> name : chosen.entrySet()) {
      Named child = name.getValue();
      if (!child.directory() || placed.add(child.identity())) {
        after.put(directory.resolve(name.getKey()), child);
        if (child.directory()) {
          settleNames(directory.resolve(name.getKey()), now, placed, after, random);
        }
      }
    }
  }

  private byte[] settled(Object identity, Map<Object, Path> present, RandomGenerator random)
      throws IOException {
    byte[] now = without(identity, contents(present.getOrDefault(identity, link(identity))));
    byte[] durable =
        switch (forced.get(identity)) {
          case null -> new byte[0];
          case Forced.Copy(byte[] bytes) -> bytes;
          case Forced.Prefix(long length) -> Arrays.copyOf(now, (int) length);
        };
    if (now.length >= durable.length
        && Arrays.equals(durable, 0, durable.length, now, 0, durable.length)) {
      return TornTail.of(now, durable.length, random);
    }
    return random.nextBoolean() ? now : durable;
  }

  private void replaceAll(Map<Path, Named> after, Map<Object, byte[]> contents) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(root)) {
          Files.delete(path);
        }
      }
    }
    for (Object identity : linked) {
      Files.delete(link(identity));
    }
    linked.clear();
    names.clear();
    forced.clear();
    dropped.clear();
    Map<Object, Path> written = new LinkedHashMap<>();
    for (Map.Entry<Path, Named> name : after.entrySet()) {
      Object identity = name.getValue().identity();
      if (name.getValue().directory()) {
        Files.createDirectory(name.getKey());
      } else if (written.containsKey(identity)) {
        Files.createLink(name.getKey(), written.get(identity));
      } else {
        written.put(identity, Files.write(name.getKey(), contents.get(identity)));
      }
    }
    force(root);
  }

  private Path link(Object identity) {
    return links.resolve(identity.toString());
  }

  private static Named named(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return new Named(attributes.fileKey(), attributes.isDirectory());
  }

  /** Returns the names in a directory, always in the same order. */
  private static Map<String, Named> list(Path directory) throws IOException {
    Map<String, Named> found = new LinkedHashMap<>();
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : children.sorted().toList()) {
        found.put(child.getFileName().toString(), named(child));
      }
    }
    return found;
  }

  /**
   * Returns a file's contents, read by a stream, since an interrupt of the calling thread would
   * close a channel.
   */
  private static byte[] contents(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readAllBytes();
    }
  }
}
