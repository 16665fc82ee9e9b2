package io.uniserve.textindex.codec;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.IOBooleanSupplier;

/**
 * The dictionaries of one reader's segments, which map the words of a field to their places. Each
 * is opened when it is first needed and stays open, and its field is counted once. Nothing is kept
 * for fields that no segment has, since queries may name any number of them. Used by one thread at
 * a time.
 */
public final class Dictionaries {
  private final IndexReader reader;

  /** The dictionaries by field, one for each segment; null if the segment has no such field. */
  private final Map<String, Dictionary[]> fields = new HashMap<>();

  /** The reader's counts of each field. */
  private final Map<String, CollectionStatistics> counted = new HashMap<>();

  private static final class Dictionary {
    private final TermsEnum words;
    private PostingsEnum documents;

    private Dictionary(TermsEnum words) {
      this.words = words;
    }
  }

  public Dictionaries(IndexReader reader) {
    this.reader = reader;
  }

  boolean areOf(IndexReader other) {
    return reader == other;
  }

  /** Returns the counts of a field; empty if it has no words. */
  public Optional<CollectionStatistics> counted(String field) throws IOException {
    CollectionStatistics known = counted.get(field);
    if (known == null) {
      known = new IndexSearcher(reader).collectionStatistics(field);
      if (known != null) {
        counted.put(field, known);
      }
    }
    return Optional.ofNullable(known);
  }

  /** Looks a word up in every segment; returns its places and counts. */
  public TermStates places(Term word) throws IOException {
    Dictionary[] segments = segments(word.field());
    IOBooleanSupplier[] found = new IOBooleanSupplier[segments.length];
    // All are prepared first, so that missing blocks are read together.
    for (int i = 0; i < segments.length; i++) {
      found[i] = segments[i] == null ? null : segments[i].words.prepareSeekExact(word.bytes());
    }
    TermStates places = new TermStates(reader.getContext());
    for (int i = 0; i < segments.length; i++) {
      if (found[i] != null && found[i].get()) {
        TermsEnum at = segments[i].words;
        places.register(at.termState(), i, at.docFreq(), at.totalTermFreq());
      }
    }
    return places;
  }

  /**
   * Returns the documents of a segment with a word, and the word's frequencies. They must be read
   * before those of another word of the segment are asked for.
   *
   * @param place the place of the word in the segment
   */
  public PostingsEnum documents(Term word, LeafReaderContext segment, TermState place)
      throws IOException {
    Dictionary dictionary = segments(word.field())[segment.ord];
    dictionary.words.seekExact(word.bytes(), place);
    dictionary.documents = dictionary.words.postings(dictionary.documents, PostingsEnum.FREQS);
    return dictionary.documents;
  }

  private Dictionary[] segments(String field) throws IOException {
    Dictionary[] segments = fields.get(field);
    if (segments == null) {
      segments = opened(field);
      if (Arrays.stream(segments).anyMatch(Objects::nonNull)) {
        fields.put(field, segments);
      }
    }
    return segments;
  }

  private Dictionary[] opened(String field) throws IOException {
    List<LeafReaderContext> leaves = reader.leaves();
    Dictionary[] segments = new Dictionary[leaves.size()];
    for (LeafReaderContext leaf : leaves) {
      Terms words = leaf.reader().terms(field);
      segments[leaf.ord] = words == null ? null : new Dictionary(words.iterator());
    }
    return segments;
  }
}
