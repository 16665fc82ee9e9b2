package io.uniserve.runtime.wire.tls;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made from files, which is made again once they have changed. They are looked at before
 * each use. If they are unusable then, the log says why, and the former value stays in use.
 *
 * @param <T> the value
 */
public final class Watched<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

  private record Made<T>(T value, List<Object> stamps) {}

  private final List<Path> files;
  private final Supplier<T> make;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Made<T> made;

  /**
   * Makes the value for the first time.
   *
   * @param make reads the files
   * @throws UniserveException what {@code make} throws
   */
  public Watched(List<Path> files, Supplier<T> make) {
    this.files = List.copyOf(files);
    this.make = make;
    List<Object> before = stamps();
    made = new Made<>(make.get(), before);
  }

  /** Returns the newest value that could be made. */
  public T get() {
    Made<T> now = made;
    List<Object> stamps = stamps();
    return stamps.equals(now.stamps) ? now.value : makeAgain(stamps);
  }

  private T makeAgain(List<Object> stamps) {
    lock.lock();
    try {
      if (!stamps.equals(made.stamps)) {
        made = new Made<>(remade(), stamps);
      }
      return made.value;
    } finally {
      lock.unlock();
    }
  }

  private T remade() {
    try {
      T value = make.get();
      LOG.info("{} changed and was read again", files);
      return value;
    } catch (UniserveException e) {
      LOG.error("the former contents of {} stay in use: {}", files, e.getMessage());
      return made.value;
    }
  }

  private List<Object> stamps() {
    List<Object> stamps = new ArrayList<>();
    for (Path file : files) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.add(attributes.lastModifiedTime());
        stamps.add(attributes.size());
        stamps.add(String.valueOf(attributes.fileKey()));
      } catch (IOException e) {
        stamps.add("unreadable"); // a later read will say why
      }
    }
    return stamps;
  }
}
