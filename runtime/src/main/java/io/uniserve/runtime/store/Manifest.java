package io.uniserve.runtime.store;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.wire.Position;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files of one backup of an actor.
 *
 * @param version of this form, {@value #VERSION}
 * @param actor whose files they are
 * @param position of the last update in them
 * @param savedMillis when, in milliseconds since 1970, by the clock of who saved
 * @param files all of them, by name
 */
record Manifest(
    int version, ActorId actor, Position position, long savedMillis, List<StoredFile> files) {
  static final int VERSION = 1;

  /** The largest encoded manifest, in bytes; good for more than 100,000 files. */
  static final int SIZE_BYTES_MAX = 16 << 20;

  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Manifest.class));

  /** Checks the version and copies the files. */
  Manifest {
    if (version != VERSION) {
      throw UniserveException.invalid("manifest version " + version + ", known is " + VERSION);
    }
    files = List.copyOf(files);
  }

  /**
   * One file of a backup.
   *
   * @param name relative to the actor's directory, with {@code /} between its parts
   * @param sizeBytes its size
   * @param sha256 its checksum, which also names its object
   */
  record StoredFile(String name, long sizeBytes, String sha256) {
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}(/|$))[^/\\\\\\x00]+");

    /** Checks that a file of this name lies in the actor's directory. */
    StoredFile {
      for (String part : name.split("/", -1)) {
        if (!NAME.matcher(part).matches()) {
          throw UniserveException.invalid("a backup with a file named '" + name + "'");
        }
      }
      if (sizeBytes < 0 || !Sha256.isHex(sha256)) {
        throw UniserveException.invalid("a backup with size or checksum of '" + name + "' broken");
      }
    }
  }

  /** The checksums of all files. */
  TreeSet<String> checksums() {
    TreeSet<String> checksums = new TreeSet<>();
    files.forEach(file -> checksums.add(file.sha256));
    return checksums;
  }

  byte[] encode() {
    return TYPES.encode(this);
  }

  static Manifest decode(byte[] bytes, String key) {
    try {
      return TYPES.decode(ByteBuffer.wrap(bytes), Manifest.class);
    } catch (UniserveException e) {
      throw new UniserveException(ErrorCode.CORRUPT, key + ": " + e.getMessage(), e);
    }
  }
}
