package io.uniserve.textindex;

import java.lang.ref.SoftReference;
import java.util.concurrent.ArrayBlockingQueue;
import org.apache.lucene.index.IndexReader;

/**
 * Dictionaries that searches of an index have opened and left to those that come: to open them anew
 * takes as long as to find a rare word in them. What they say is looked up for every search; this
 * is no cache of it. Safe for use by many threads.
 */
public final class OpenDictionaries {
  /** As many as can be in use at a time, if each thread has a processor. */
  private final ArrayBlockingQueue<SoftReference<Dictionaries>> left =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  /** Dictionaries of a reader that nobody else uses, open as far as somebody has left such. */
  public Dictionaries take(IndexReader reader) {
    for (SoftReference<Dictionaries> next = left.poll(); next != null; next = left.poll()) {
      Dictionaries dictionaries = next.get();
      if (dictionaries != null && dictionaries.areOf(reader)) {
        return dictionaries;
      }
    }
    return new Dictionaries(reader);
  }

  /** Leaves dictionaries; who leaves them uses them no more. */
  public void leave(Dictionaries dictionaries) {
    left.offer(new SoftReference<>(dictionaries));
  }
}
