package io.uniserve.textindex.codec;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.concurrent.ArrayBlockingQueue;
import org.apache.lucene.index.IndexReader;

/**
 * A pool of dictionaries that searches of an index have opened, for later searches. Opening one
 * takes as long as finding a rare word in it. Words are still looked up for every search, so this
 * is no cache of results. It is safe for use by many threads.
 */
public final class OpenDictionaries {
  /**
   * The dictionaries that are left. There are as many as can be in use at a time if each thread has
   * a processor.
   */
  private final ArrayBlockingQueue<SoftReference<Dictionaries>> left =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  /** Work on dictionaries, which are its own as long as it lasts. */
  public interface Use<T> {
    T of(Dictionaries dictionaries) throws IOException;
  }

  /**
   * Works on the dictionaries of a reader, open as far as somebody has left such, and leaves them,
   * unless the work fails: nobody knows in what state they are then.
   */
  public <T> T use(IndexReader reader, Use<T> work) throws IOException {
    Dictionaries dictionaries = take(reader);
    T result = work.of(dictionaries);
    left.offer(new SoftReference<>(dictionaries));
    return result;
  }

  private Dictionaries take(IndexReader reader) {
    for (SoftReference<Dictionaries> next = left.poll(); next != null; next = left.poll()) {
      Dictionaries dictionaries = next.get();
      if (dictionaries != null && dictionaries.areOf(reader)) {
        return dictionaries;
      }
    }
    return new Dictionaries(reader);
  }
}
