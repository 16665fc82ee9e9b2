package io.uniserve.textindex;

import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;

/** A reader that counts what is done with the dictionaries of its segments. Used by one thread. */
public final class WatchedReader extends FilterDirectoryReader {
  private final Seen seen;

  /** The recorded accesses. */
  public static final class Seen {
    /** The number of times that a field of a segment was asked for. */
    public int asked;

    /** The number of times that the order by a field of a segment was opened. */
    public int ordered;

    /** The number of dictionaries that were opened. */
    public int opened;

    /** The number of words that enumerations of similar words found. */
    public int enumerated;

    /** The automata that recognised them. */
    public final Set<CompiledAutomaton> automata =
        Collections.newSetFromMap(new IdentityHashMap<>());
  }

  public WatchedReader(DirectoryReader in, Seen seen) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader segment) {
            return new Segment(segment, seen);
          }
        });
    this.seen = seen;
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader newer) throws IOException {
    return new WatchedReader(newer, seen);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Segment extends FilterLeafReader {
    private final Seen seen;

    private Segment(LeafReader in, Seen seen) {
      super(in);
      this.seen = seen;
    }

    @Override
    public Terms terms(String field) throws IOException {
      seen.asked++;
      Terms terms = in.terms(field);
      return terms == null ? null : new Watched(terms);
    }

    @Override
    public SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
      seen.ordered++;
      return in.getSortedSetDocValues(field);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }

    private final class Watched extends FilterTerms {
      private Watched(Terms in) {
        super(in);
      }

      @Override
      public TermsEnum iterator() throws IOException {
        seen.opened++;
        return in.iterator();
      }

      @Override
      public TermsEnum intersect(CompiledAutomaton words, BytesRef after) throws IOException {
        seen.automata.add(words);
        return new FilterTermsEnum(in.intersect(words, after)) {
          @Override
          public BytesRef next() throws IOException {
            seen.enumerated++;
            return in.next();
          }
        };
      }
    }
  }
}
