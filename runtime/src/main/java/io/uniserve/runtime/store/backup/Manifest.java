package io.uniserve.runtime.store.backup;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files of one backup of an actor.
 *
 * @param place the actor's
 * @param checkpoint the files' checkpoint
 * @param files all of them, by name
 */
@Name("Manifest")
record Manifest(BackupPlace place, Checkpoint checkpoint, List<StoredFile> files) {
  /** The largest encoded manifest, in bytes; good for more than 100,000 files. */
  static final int SIZE_BYTES_MAX = 16 << 20;

  static final Form FORM = Forms.of("a manifest in the durable store", Manifest.class);

  /** Copies the files. */
  Manifest {
    files = List.copyOf(files);
  }

  /**
   * One file of a backup.
   *
   * @param name relative to the actor's directory, with {@code /} between its parts
   * @param sizeBytes its size
   * @param sha256 its checksum
   * @param writer the epoch of the primary that stored its object, which begins the object's name;
   *     so no primary replaces another's object, and none deletes a later one's
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

    /** Returns the last part of the key of its object. */
    String object() {
      return writer + "-" + sha256;
    }
  }

  /** Returns the names of the objects of all files. */
  SortedSet<String> objects() {
    TreeSet<String> objects = new TreeSet<>();
    files.forEach(file -> objects.add(file.object()));
    return objects;
  }

  byte[] encode() {
    return FORM.encode(this);
  }

  static Manifest decode(byte[] bytes, String key) {
    try {
      return FORM.decode(ByteBuffer.wrap(bytes), Manifest.class);
    } catch (UniserveException e) {
      throw StoreFailures.undecodable(key, e);
    }
  }
}
