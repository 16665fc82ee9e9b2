package io.uniserve.runtime.store.backup;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.backup.Manifest.StoredFile;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The transfer of checkpoint files into the durable store, and back. */
final class CheckpointFiles {
  private final DurableStore store;
  private final Transfers transfers;

  CheckpointFiles(DurableStore store, Transfers transfers) {
    this.store = store;
    this.transfers = transfers;
  }

  /**
   * The result of an upload.
   *
   * @param files all, as the manifest will name them
   * @param uploaded those that the store did not have
   */
  record Upload(List<StoredFile> files, List<StoredFile> uploaded) {
    BackupReceipt receipt(Position position) {
      return new BackupReceipt(
          position, files.size(), sizeOf(files), uploaded.size(), sizeOf(uploaded));
    }

    private static long sizeOf(List<StoredFile> files) {
      return files.stream().mapToLong(StoredFile::sizeBytes).sum();
    }
  }

  /** A file that is to be in the store. */
  private record Found(String name, long sizeBytes, String sha256) {}

  /**
   * Stores the files that the store does not have.
   *
   * @param stored the writers of the objects that the store has, by checksum; those of newly stored
   *     files are added
   * @param check refuses damaged files before they are stored
   */
  Upload upload(
      BackupPlace place,
      long writer,
      Path directory,
      KnownChecksums checksums,
      Map<String, Long> stored,
      Instant now,
      FileCheck check) {
    AtomicReference<List<Found>> found = new AtomicReference<>();
    transfers.forEach(List.of(directory), files -> found.set(describe(files, checksums, now)));
    Map<String, StoredFile> missing = new LinkedHashMap<>();
    List<StoredFile> all = new ArrayList<>();
    for (Found file : found.get()) {
      long stores = stored.getOrDefault(file.sha256, writer);
      StoredFile named = new StoredFile(file.name, file.sizeBytes, file.sha256, stores);
      all.add(named);
      if (!stored.containsKey(file.sha256)) {
        missing.putIfAbsent(file.sha256, named);
      }
    }
    require(check, missing.values().stream().map(StoredFile::name).toList());
    transfers.forEach(List.copyOf(missing.values()), file -> put(place, directory, file, stored));
    return new Upload(all, List.copyOf(missing.values()));
  }

  private static void require(FileCheck check, List<String> names) {
    try {
      check.requireSound(names);
    } catch (IOException e) {
      throw StoreFailures.of(e, "read a checkpoint");
    }
  }

  private void put(BackupPlace place, Path directory, StoredFile file, Map<String, Long> stored) {
    Path path = directory.resolve(file.name());
    store.put(
        BackupKeys.object(place, file.object()),
        new Content.File(path, file.sizeBytes(), file.sha256()));
    stored.put(file.sha256(), file.writer());
  }

  private static List<Found> describe(Path directory, KnownChecksums checksums, Instant now) {
    checksums.begin();
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Found> files = new ArrayList<>();
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        files.add(new Found(nameOf(directory, path), Files.size(path), checksums.of(path, now)));
      }
      return files;
    } catch (IOException e) {
      throw StoreFailures.of(e, "read " + directory);
    }
  }

  private static String nameOf(Path directory, Path path) {
    List<String> parts = new ArrayList<>();
    directory.relativize(path).forEach(part -> parts.add(part.toString()));
    return String.join("/", parts);
  }

  /**
   * Reads all files.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if one is missing or damaged
   */
  void fetch(BackupPlace place, Manifest manifest, Path target) {
    requireEmpty(target);
    transfers.forEach(manifest.files(), file -> fetch(place, file, target));
  }

  private static void requireEmpty(Path target) {
    try {
      Files.createDirectories(target);
      try (Stream<Path> children = Files.list(target)) {
        if (children.findAny().isPresent()) {
          throw UniserveException.invalid("restore into " + target + ": it is not empty");
        }
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, "restore into " + target);
    }
  }

  private void fetch(BackupPlace place, StoredFile file, Path target) {
    String key = BackupKeys.object(place, file.object());
    Path path = target.resolve(file.name());
    try {
      Files.createDirectories(path.getParent());
      String found = store.get(key, path);
      if (!found.equals(file.sha256()) || Files.size(path) != file.sizeBytes()) {
        throw StoreFailures.corrupt(key, "it is not the file " + file.name() + " of the manifest");
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, "restore " + path);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.NOT_FOUND
          ? StoreFailures.corrupt(key, "the file " + file.name() + " of a backup is missing")
          : e;
    }
  }
}
