package io.uniserve.textindex.collect;

import io.uniserve.textindex.document.DocumentIds;
import io.uniserve.textindex.request.SortOrder;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.PriorityQueue;

/**
 * A collector of the best hits, with equal scores ordered by id. Nearly every search needs this
 * order, and it costs a fraction of sorting by fields: an id is compared only for equal scores, and
 * then by its place among the ids of its segment. At the end the ids of all hits are read, in the
 * order of their documents.
 */
public final class BestCollector extends SimpleCollector {
  private final Queue queue;
  private final int size;
  private final FieldDoc after;
  private final boolean countAll;
  private int total;
  private Scorable scorer;
  private LeafReaderContext leaf;

  /**
   * The present segment, which is opened at its first hit, since a rare word has none in most
   * segments.
   */
  private Segment segment;

  private int placeOfAfter;
  private Hit worst;
  private int placeOfWorst;

  /**
   * Makes a collector.
   *
   * @param size the number of hits to collect, at least 1
   * @param after the position just before the first hit, as {@link SortOrder#hit} makes it, or null
   * @param countAll true if all hits are counted; otherwise hits that are too bad to be collected
   *     may be skipped
   */
  public BestCollector(int size, FieldDoc after, boolean countAll) {
    queue = new Queue(size);
    this.size = size;
    this.after = after;
    this.countAll = countAll;
  }

  /**
   * A segment with hits.
   *
   * @param first the number of its first document in the index
   * @param order the order of its ids
   */
  private record Segment(int first, SortedDocValues order, DocumentIds ids) {
    static Segment of(LeafReaderContext leaf) throws IOException {
      return new Segment(
          leaf.docBase,
          DocValues.unwrapSingleton(DocValues.getSortedSet(leaf.reader(), SortKey.ID)),
          new DocumentIds(leaf.reader()));
    }
  }

  /** A hit, whose id is read when it is needed. */
  private static final class Hit {
    private final Segment segment;
    private final int document;
    private final float score;
    private final int place;
    private BytesRef id;

    /**
     * Makes a hit.
     *
     * @param document its number in the segment
     * @param place the place of its id in the order of the segment's ids
     */
    private Hit(Segment segment, int document, float score, int place) {
      this.segment = segment;
      this.document = document;
      this.score = score;
      this.place = place;
    }

    private boolean isBehind(Hit other) {
      return segment == other.segment ? place > other.place : id().compareTo(other.id()) > 0;
    }

    private int inIndex() {
      return segment.first + document;
    }

    private FieldDoc sorted() {
      return new FieldDoc(inIndex(), score, new Object[] {score, id()});
    }

    private BytesRef id() {
      if (id == null) {
        try {
          id = BytesRef.deepCopyOf(segment.ids.of(document));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return id;
    }
  }

  /** A queue with the worst hit on top. */
  private static final class Queue extends PriorityQueue<Hit> {
    private Queue(int size) {
      super(size);
    }

    @Override
    protected boolean lessThan(Hit one, Hit other) {
      return one.score < other.score || one.score == other.score && one.isBehind(other);
    }
  }

  @Override
  public ScoreMode scoreMode() {
    return countAll ? ScoreMode.COMPLETE : ScoreMode.TOP_SCORES;
  }

  @Override
  protected void doSetNextReader(LeafReaderContext next) {
    leaf = next;
    segment = null;
    placeOfWorst = -1;
  }

  private void openSegment() throws IOException {
    segment = Segment.of(leaf);
    placeOfAfter = after == null ? 0 : segment.order.lookupTerm((BytesRef) after.fields[1]);
  }

  @Override
  public void setScorer(Scorable scorer) throws IOException {
    this.scorer = scorer;
    skipWorse();
  }

  @Override
  public void collect(int document) throws IOException {
    total++;
    float score = scorer.score();
    if (segment == null) {
      openSegment();
    }
    if (worst != null && (score < worst.score || score == worst.score && !isBeforeWorst(document))
        || after != null && !isBehindAfter(document, score)) {
      return;
    }
    queue.insertWithOverflow(new Hit(segment, document, score, placeOf(document)));
    if (queue.size() == size) {
      worst = queue.top();
      placeOfWorst = -1;
      skipWorse();
    }
  }

  private void skipWorse() throws IOException {
    if (worst != null && !countAll) {
      scorer.setMinCompetitiveScore(worst.score);
    }
  }

  private int placeOf(int document) throws IOException {
    segment.order.advanceExact(document);
    return segment.order.ordValue();
  }

  private boolean isBeforeWorst(int document) throws IOException {
    if (placeOfWorst < 0) {
      int place = worst.segment == segment ? worst.place : segment.order.lookupTerm(worst.id());
      placeOfWorst = place >= 0 ? place : -place - 1;
    }
    return placeOf(document) < placeOfWorst;
  }

  private boolean isBehindAfter(int document, float score) throws IOException {
    float afterScore = (Float) after.fields[0];
    return score < afterScore
        || score == afterScore
            && (placeOfAfter >= 0
                ? placeOf(document) > placeOfAfter
                : placeOf(document) >= -placeOfAfter - 1);
  }

  /** Returns the hits, best first, and the number of documents that matched or were visited. */
  public TopFieldDocs topDocs() {
    Hit[] best = new Hit[queue.size()];
    for (int i = best.length - 1; i >= 0; i--) {
      best[i] = queue.pop();
    }
    Hit[] inIndex = best.clone(); // ids are read fastest in this order
    Arrays.sort(inIndex, Comparator.comparingInt(Hit::inIndex));
    Arrays.asList(inIndex).forEach(Hit::id);
    FieldDoc[] hits = new FieldDoc[best.length];
    Arrays.setAll(hits, i -> best[i].sorted());
    TotalHits.Relation relation =
        countAll ? TotalHits.Relation.EQUAL_TO : TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO;
    return new TopFieldDocs(new TotalHits(total, relation), hits, new SortField[0]);
  }
}
