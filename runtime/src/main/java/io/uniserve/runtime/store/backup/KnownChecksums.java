package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.store.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The checksums of an actor's files, remembered from one backup to the next, so that unchanged
 * files are not read again. A file is recognised by what the file system says of it: its identity
 * (which hard links share), size and time of change. A file that changed so recently that it could
 * change again within the same tick of the file system's clock is not remembered.
 */
final class KnownChecksums {
  private static final Duration TICK = Duration.ofSeconds(2);

  private record Identity(Object file, long sizeBytes, Instant modified) {}

  private Map<Identity, String> known = new LinkedHashMap<>();
  private Map<Identity, String> seen = new LinkedHashMap<>();

  /** Begins a backup. Files that are not asked for in it are forgotten at the next. */
  void begin() {
    known = seen;
    seen = new LinkedHashMap<>();
  }

  /**
   * Returns a file's checksum.
   *
   * @param now the time of day
   */
  String of(Path file, Instant now) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    Identity identity =
        new Identity(
            attributes.fileKey(), attributes.size(), attributes.lastModifiedTime().toInstant());
    String checksum = known.get(identity);
    if (checksum == null) {
      checksum = Sha256.of(file);
    }
    if (identity.file != null && identity.modified.plus(TICK).isBefore(now)) {
      seen.put(identity, checksum);
    }
    return checksum;
  }
}
