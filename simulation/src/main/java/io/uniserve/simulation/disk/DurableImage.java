package io.uniserve.simulation.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What of a disk would survive a crash of the machine: which names led to which files when
 * something was last forced, and what was forced of each file. A hidden hard link to each file
 * keeps its contents reachable after its name is gone.
 */
final class DurableImage implements Forcing {
  private final Path root;
  private final Path links;
  private final Map<Path, Object> names = new LinkedHashMap<>();
  private final Map<Object, Forced> forced = new LinkedHashMap<>();
  private final Set<Object> linked = new LinkedHashSet<>();

  /** What is durable of one file: its first bytes as they are now, or a copy of all. */
  private sealed interface Forced {
    record Prefix(long length) implements Forced {}

    record Copy(byte[] bytes) implements Forced {}
  }

  DurableImage(Path root, Path links) throws IOException {
    this.root = root;
    this.links = Files.createDirectory(links);
  }

  /** Cheap, since nothing is copied. */
  @Override
  public void forcePrefix(Path file, long length) throws IOException {
    if (Files.exists(file)) {
      Object identity = linked(file, identity(file));
      forced.put(identity, new Forced.Prefix(length));
      names.put(file, identity);
    }
  }

  @Override
  public void cutPrefix(Path file, long length) throws IOException {
    forced.computeIfPresent(
        identity(file),
        (key, value) ->
            switch (value) {
              case Forced.Prefix(long was) -> new Forced.Prefix(Math.min(was, length));
              case Forced.Copy(byte[] was) ->
                  new Forced.Copy(Arrays.copyOf(was, (int) Math.min(was.length, length)));
            });
  }

  @Override
  public void force(Path path) throws IOException {
    for (Map.Entry<Path, Object> file : regularFiles(path).entrySet()) {
      forced.put(linked(file.getKey(), file.getValue()), new Forced.Copy(contents(file.getKey())));
    }
    forceNames();
  }

  @Override
  public void forceNames() throws IOException {
    names.clear();
    for (Map.Entry<Path, Object> file : regularFiles(root).entrySet()) {
      names.put(file.getKey(), linked(file.getKey(), file.getValue()));
    }
    dropUnnamed();
  }

  void crash(RandomGenerator random) throws IOException {
    if (random.nextBoolean()) {
      restoreNames();
    }
    Map<Object, Path> files = new LinkedHashMap<>();
    regularFiles(root).forEach((file, identity) -> files.putIfAbsent(identity, file));
    for (Map.Entry<Object, Path> file : files.entrySet()) {
      settle(file.getValue(), durableBytes(file.getKey()), random);
    }
    force(root);
  }

  private void restoreNames() throws IOException {
    for (Map.Entry<Path, Object> file : regularFiles(root).entrySet()) {
      if (!file.getValue().equals(names.get(file.getKey()))) {
        Files.delete(file.getKey());
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
    for (Object identity : List.copyOf(linked)) {
      if (!named.contains(identity)) {
        forced.remove(identity);
        linked.remove(identity);
        Files.delete(link(identity));
      }
    }
  }

  private Object linked(Path file, Object identity) throws IOException {
    if (!linked.contains(identity)) {
      Files.createLink(link(identity), file);
      linked.add(identity);
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

  /** All files below a path, with their identities, always in the same order. */
  private static Map<Path, Object> regularFiles(Path path) throws IOException {
    Map<Path, Object> files = new LinkedHashMap<>();
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.put(file, attributes.fileKey());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
