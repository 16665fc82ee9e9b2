package io.uniserve.testkit.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A directory with everything below it. */
public record FileTree(Path root) {

  /** Returns its plain files. */
  public List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Copies its files into another directory, or links them. */
  public void copyTo(Path target, boolean link) throws IOException {
    for (Path file : files()) {
      Path to = target.resolve(root.relativize(file).toString());
      Files.createDirectories(to.getParent());
      if (link) {
        Files.createLink(to, file);
      } else {
        Files.copy(file, to);
      }
    }
  }

  /** Returns a checksum of each file's contents, by its path below the root. */
  public SortedMap<String, String> checksums() throws IOException {
    SortedMap<String, String> checksums = new TreeMap<>();
    for (Path file : files()) {
      byte[] digest = sha256().digest(Files.readAllBytes(file));
      checksums.put(root.relativize(file).toString(), HexFormat.of().formatHex(digest));
    }
    return checksums;
  }

  /** Deletes the directory and everything below it. */
  public void delete() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(root)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
