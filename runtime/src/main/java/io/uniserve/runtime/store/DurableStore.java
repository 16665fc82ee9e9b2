package io.uniserve.runtime.store;

import io.uniserve.api.error.ErrorCode;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Named objects that outlive every server (DPA §4.3): a directory, or a bucket of an object store.
 * An object is written and replaced as a whole: a reader sees all of the old one or all of the new.
 * A write that has returned survives the crashes that the store is built to survive. Data that is
 * read is checked against the SHA-256 that was written with it.
 *
 * <p>Safe for use by many threads and processes. Every method may wait for disk or network, within
 * the store's own time limits, and fails with
 *
 * <ul>
 *   <li>{@link ErrorCode#NOT_FOUND} if the object to read does not exist,
 *   <li>{@link ErrorCode#CORRUPT} if its bytes fail their check,
 *   <li>{@link ErrorCode#UNAVAILABLE} if the store does not answer or fails; whether a write took
 *       effect is then not known, and repeating it is safe,
 *   <li>{@link ErrorCode#EXHAUSTED} if it has no room,
 *   <li>{@link ErrorCode#INVALID_ARGUMENT} if it refuses the credentials, or a key that {@link
 *       ObjectKey} refuses,
 *   <li>{@link ErrorCode#CANCELLED} if the calling thread is interrupted,
 * </ul>
 *
 * always naming the object.
 */
public interface DurableStore extends AutoCloseable {

  /** Stores an object, replacing any of this key. */
  void put(String key, Content content);

  /**
   * Stores an object unless there is one.
   *
   * @return false, and nothing has changed, if there is one; of several writers at once, one
   *     succeeds
   */
  boolean putIfAbsent(String key, Content content);

  /**
   * Reads a small object.
   *
   * @param sizeBytesMax the largest size that is read, in bytes; beyond, {@link
   *     ErrorCode#TOO_LARGE}
   */
  byte[] get(String key, int sizeBytesMax);

  /**
   * Reads an object into a file, which is created or replaced, and not forced to disk. After a
   * failure the file is absent or incomplete.
   *
   * @return the SHA-256 of what was read, in hexadecimal
   */
  String get(String key, Path target);

  /** Returns whether there is an object of this key. */
  boolean exists(String key);

  /**
   * Visits all objects whose keys begin with a prefix, ascending by key, without holding them all
   * in memory. Objects that come or go meanwhile may be seen or not.
   *
   * @param prefix empty, or ending with {@code /}
   */
  void list(String prefix, Consumer<StoredObject> visitor);

  /** Deletes an object; nothing happens if there is none. */
  void delete(String key);

  /** Releases connections. */
  @Override
  void close();
}
