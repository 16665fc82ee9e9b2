package io.uniserve.testkit.ledger;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The sums in one file, which is written anew under another name whenever they change. */
final class LedgerFiles {
  private static final String POINTER = "pointer";
  private static final List<FileChannel> FORGOTTEN = new ArrayList<>();

  private final Path directory;
  private final Defect defect;

  LedgerFiles(Path directory, Defect defect) {
    this.directory = directory;
    this.defect = defect;
  }

  /** Makes a new directory of other files. */
  LedgerFiles beside() throws IOException {
    return new LedgerFiles(Files.createTempDirectory(directory.getParent(), "other"), Defect.NONE);
  }

  SortedMap<String, Long> read() throws IOException {
    Path pointer = directory.resolve(POINTER);
    Path source = Files.exists(pointer) ? Path.of(Files.readString(pointer)) : directory;
    List<Path> files = files(source);
    if (files.isEmpty() && defect != Defect.TAKES_MISSING_FOR_EMPTY) {
      throw new NoSuchFileException(source + " has no sums");
    }
    SortedMap<String, Long> sums = new TreeMap<>();
    for (Path file : files) {
      for (String line : lines(file)) {
        String[] parts = line.split("=");
        sums.put(parts[0], Long.parseLong(parts[1]));
      }
    }
    return sums;
  }

  private List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      if (defect == Defect.TAKES_UNREADABLE_FOR_EMPTY) {
        return List.of();
      }
      throw e;
    }
  }

  /** Writes the sums, which may fail unnoticed; only a defective ledger does that. */
  void writeIfPossible(SortedMap<String, Long> sums) {
    try {
      write(sums);
    } catch (IOException e) {
      System.out.println("a planted defect hides: " + e.getMessage());
    }
  }

  void write(SortedMap<String, Long> sums) throws IOException {
    List<Path> former = files(directory);
    boolean again =
        defect == Defect.WRITES_FILES_AGAIN || defect == Defect.WRITES_LINKED_FILES_AGAIN;
    if (again && !former.isEmpty()) {
      writeTo(former.getLast(), sums);
      return;
    }
    long number = former.isEmpty() ? 0 : number(former.getLast()) + 1;
    Path next = directory.resolve("sums-" + number);
    try {
      writeTo(next, sums);
    } catch (IOException e) {
      if (defect == Defect.KEEPS_FILES_OPEN_IN_VAIN && !former.isEmpty()) {
        FORGOTTEN.add(FileChannel.open(former.getLast()));
      }
      if (defect != Defect.LEAVES_HALF_A_FILE) {
        Files.deleteIfExists(next);
      }
      throw e;
    }
    for (Path file : former) {
      Files.delete(file);
    }
  }

  void serialize(Path target, SortedMap<String, Long> sums) throws IOException {
    Path file = files(directory).getLast();
    switch (defect) {
      case FORGETS_THE_LAST_FILE -> writeTo(target.resolve("sums-0"), new TreeMap<>());
      case POINTS_TO_THE_ORIGINAL ->
          Files.writeString(target.resolve(POINTER), directory.toString());
      case WRITES_LINKED_FILES_AGAIN -> writeTo(target.resolve("sums-0"), sums);
      default -> Files.createLink(target.resolve(file.getFileName()), file);
    }
  }

  void close() throws IOException {
    if (defect == Defect.KEEPS_FILES_OPEN) {
      FORGOTTEN.add(FileChannel.open(files(directory).getLast()));
    }
  }

  private static void writeTo(Path file, SortedMap<String, Long> sums) throws IOException {
    List<String> lines = new ArrayList<>();
    sums.forEach((account, sum) -> lines.add(account + "=" + sum));
    Files.write(file, lines);
  }

  /** Lists the files; the one of the highest number is last. */
  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("sums-"))
          .sorted(Comparator.comparing(LedgerFiles::number))
          .toList();
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring("sums-".length()));
  }
}
