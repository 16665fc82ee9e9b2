package io.uniserve.textindex.document;

import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** The ids of an index's documents, in the order of their bytes. */
public final class Ids {
  /** The number of ids whose documents are deleted at a time. */
  private static final int BATCH = 1_000;

  /** The number of ids that are sampled for the middle one. */
  private static final int SAMPLE = 10_000;

  private Ids() {}

  /** Deletes the documents whose ids are not kept. */
  public static void deleteOthers(IndexWriter writer, Predicate<String> kept) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      List<Term> others = new ArrayList<>(BATCH);
      for (LeafReaderContext leaf : reader.leaves()) {
        TermsEnum ids = ids(leaf);
        for (BytesRef id = ids.next(); id != null; id = ids.next()) {
          if (!kept.test(id.utf8ToString())) {
            others.add(new Term(SortKey.ID, BytesRef.deepCopyOf(id)));
          }
          if (others.size() == BATCH) {
            writer.deleteDocuments(others.toArray(Term[]::new));
            others.clear();
          }
        }
      }
      writer.deleteDocuments(others.toArray(Term[]::new));
    }
  }

  /** Returns an id that about half of the ids come before; empty if there are fewer than two. */
  public static Optional<String> middle(IndexReader reader) throws IOException {
    int step = 1 + reader.numDocs() / SAMPLE;
    List<BytesRef> sample = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      TermsEnum ids = ids(leaf);
      int place = 0;
      for (BytesRef id = ids.next(); id != null; id = ids.next()) {
        if (place++ % step == 0) {
          sample.add(BytesRef.deepCopyOf(id));
        }
      }
    }
    List<BytesRef> sorted = sample.stream().distinct().sorted().toList();
    return sorted.size() < 2
        ? Optional.empty()
        : Optional.of(sorted.get(sorted.size() / 2).utf8ToString());
  }

  /**
   * A document that is not deleted.
   *
   * @param id its id
   * @param leaf its segment
   * @param document its number within the segment
   */
  public record Found(String id, LeafReaderContext leaf, int document) {}

  /** A walk through the ids of all documents that are not deleted. */
  public static final class Walk {
    private final PriorityQueue<Segment> segments =
        new PriorityQueue<>(Comparator.comparing((Segment segment) -> segment.id));
    private final Optional<BytesRef> to;

    private static final class Segment {
      private final LeafReaderContext leaf;
      private final TermsEnum ids;
      private BytesRef id;
      private PostingsEnum documents;

      Segment(LeafReaderContext leaf, TermsEnum ids) {
        this.leaf = leaf;
        this.ids = ids;
      }
    }

    /**
     * Begins a walk.
     *
     * @param from the least id, if there is a bound
     * @param inclusive true if that id counts
     * @param to the id before which the walk ends, if there is a bound
     */
    public Walk(IndexReader reader, Optional<String> from, boolean inclusive, Optional<String> to)
        throws IOException {
      this.to = to.map(BytesRef::new);
      for (LeafReaderContext leaf : reader.leaves()) {
        Segment segment = new Segment(leaf, ids(leaf));
        if (begin(segment.ids, from, inclusive)) {
          segment.id = segment.ids.term();
          segments.add(segment);
        }
      }
    }

    private static boolean begin(TermsEnum ids, Optional<String> from, boolean inclusive)
        throws IOException {
      if (from.isEmpty()) {
        return ids.next() != null;
      }
      return switch (ids.seekCeil(new BytesRef(from.get()))) {
        case FOUND -> inclusive || ids.next() != null;
        case NOT_FOUND -> true;
        case END -> false;
      };
    }

    /** Returns the next documents, in the order of their ids; fewer than asked for at the end. */
    public List<Found> next(int most) throws IOException {
      List<Found> found = new ArrayList<>(most);
      while (found.size() < most && !segments.isEmpty()) {
        Segment least = segments.poll();
        if (to.isPresent() && least.id.compareTo(to.get()) >= 0) {
          segments.clear();
          break;
        }
        Bits live = least.leaf.reader().getLiveDocs();
        least.documents = least.ids.postings(least.documents, PostingsEnum.NONE);
        for (int document = least.documents.nextDoc();
            document != DocIdSetIterator.NO_MORE_DOCS;
            document = least.documents.nextDoc()) {
          if (live == null || live.get(document)) {
            found.add(new Found(least.id.utf8ToString(), least.leaf, document));
          }
        }
        least.id = least.ids.next();
        if (least.id != null) {
          segments.add(least);
        }
      }
      return found;
    }
  }

  private static TermsEnum ids(LeafReaderContext leaf) throws IOException {
    Terms terms = leaf.reader().terms(SortKey.ID);
    return terms == null ? TermsEnum.EMPTY : terms.iterator();
  }
}
