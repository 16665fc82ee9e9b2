package io.uniserve.runtime.store;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files of one backup of an actor.
 *
 * @param version of this form, {@value #VERSION}
 * @param place whose files they are
 * @param checkpoint what they are the files of
 * @param files all of them, by name
 */
record Manifest(int version, BackupPlace place, Checkpoint checkpoint, List<StoredFile> files) {
  static final int VERSION = 2;

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
   * @param sha256 its checksum
   * @param writer the epoch of the primary that stored its object, whose name begins with it: what
   *     one primary stored no other replaces, and none collects what a later one stored
   */
  record StoredFile(String name, long sizeBytes, String sha256, long writer) {
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}(/|$))[^/\\\\\\x00]+");

    /** Checks that a file of this name lies in the actor's directory. */
    StoredFile {
      for (String part : name.split("/", -1)) {
        if (!NAME.matcher(part).matches()) {
          throw UniserveException.invalid("a backup with a file named '" + name + "'");
        }
      }
      if (sizeBytes < 0 || writer < 0 || !Sha256.isHex(sha256)) {
        throw UniserveException.invalid("a backup with size or checksum of '" + name + "' broken");
      }
    }

    /** The last part of the key of its object. */
    String object() {
      return writer + "-" + sha256;
    }
  }

  /** The names of the objects of all files. */
  SortedSet<String> objects() {
    TreeSet<String> objects = new TreeSet<>();
    files.forEach(file -> objects.add(file.object()));
    return objects;
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
