package io.uniserve.textindex;

import io.uniserve.api.form.Name;
import io.uniserve.textindex.document.DocumentIds;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.Word;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/**
 * The counts of a word in one index and, if the word is rare there, its documents. Each document
 * comes with the inputs of its score, which is computed once all indexes have counted. A search for
 * a single rare word then needs no second step.
 *
 * @param counted the counts of the word
 * @param documents all documents with the word; empty if they are too many to be sent unasked
 */
@Name("RareWord")
public record RareWord(WordStatistics counted, Optional<List<Unscored>> documents) {
  private static final int DOCUMENTS_MAX = 64;

  /**
   * The most documents whose stored fields are fetched, since these cost more than the rest of a
   * document.
   */
  private static final int FETCHED_MAX = 6;

  private static final Comparator<Hit> BEST_FIRST =
      (one, other) ->
          one.score() != other.score()
              ? Float.compare(other.score(), one.score())
              : new BytesRef(one.id())
                  .compareTo(new BytesRef(other.id())); // in the order of their bytes

  /**
   * A document before it is scored.
   *
   * @param frequency the number of occurrences of the word
   * @param norm the length of its field, in Lucene's encoding
   * @param fields the stored fields, as in {@link Hit}
   */
  public record Unscored(String id, int frequency, long norm, Map<String, Object> fields) {}

  /** Returns whether a search asks only for the best documents of one word. */
  public static boolean suffices(BoundRequest bound) {
    return bound.matched instanceof TermQuery
        && bound.order.bestFirstAlone()
        && bound.request.page().after().isEmpty()
        && bound.request.facets().isEmpty()
        && bound.request.contents().highlighting().isEmpty();
  }

  /**
   * Counts a word.
   *
   * @param wanted the wanted stored fields, as in {@link HitContents}
   */
  public static RareWord of(
      Word word, List<String> wanted, SearchSchema schema, StatisticsSearcher searcher)
      throws IOException {
    Term term = word.term();
    TermStates places = searcher.places(term);
    WordStatistics counted = WordStatistics.of(searcher, word, places);
    if (places.docFreq() > (wanted.isEmpty() ? DOCUMENTS_MAX : FETCHED_MAX)) {
      return new RareWord(counted, Optional.empty());
    }
    DocumentMapper mapper = new DocumentMapper(schema);
    FieldSelection selection = FieldSelection.of(wanted);
    StoredFields stored = searcher.storedFields();
    Fields fields = document -> mapper.fields(stored, document, selection);
    List<Unscored> documents = new ArrayList<>(places.docFreq());
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      Optional<PostingsEnum> postings = searcher.documents(term, places, leaf);
      if (postings.isPresent()) {
        addAll(postings.get(), leaf, word.field(), fields, documents);
      }
    }
    return new RareWord(counted, Optional.of(documents));
  }

  /** The stored fields of a document by its number. */
  private interface Fields {
    Map<String, Object> of(int document) throws IOException;
  }

  private static void addAll(
      PostingsEnum postings,
      LeafReaderContext leaf,
      String field,
      Fields fields,
      List<Unscored> documents)
      throws IOException {
    LeafReader reader = leaf.reader();
    Bits live = reader.getLiveDocs();
    NumericDocValues norms = reader.getNormValues(field);
    DocumentIds ids = new DocumentIds(reader);
    int document = postings.nextDoc();
    while (document != PostingsEnum.NO_MORE_DOCS) {
      if (live == null || live.get(document)) {
        documents.add(
            new Unscored(
                ids.of(document).utf8ToString(),
                postings.freq(),
                norms != null && norms.advanceExact(document) ? norms.longValue() : 1,
                fields.of(leaf.docBase + document)));
      }
      document = postings.nextDoc();
    }
  }

  /**
   * Returns the answer of all indexes together, with the scores of one index that holds everything.
   *
   * @param all their counts together
   * @param documents the documents of all of them
   */
  public static Answer answer(Word word, WordStatistics all, List<Unscored> documents) {
    if (documents.isEmpty()) {
      return new Answer(0, true, List.of(), List.of());
    }
    Count count = all.words().get(word);
    SimScorer scorer =
        IndexSearcher.getDefaultSimilarity()
            .scorer(
                1,
                all.fields().get(word.field()),
                new TermStatistics(word.term().bytes(), count.documents(), count.occurrences()));
    Hit[] hits = new Hit[documents.size()];
    Arrays.setAll(hits, i -> hit(documents.get(i), scorer));
    Arrays.sort(hits, BEST_FIRST);
    return new Answer(hits.length, true, List.of(hits), List.of());
  }

  private static Hit hit(Unscored document, SimScorer scorer) {
    float score = scorer.score(document.frequency, document.norm);
    return new Hit(
        document.id, score, List.of((double) score, document.id), document.fields, Map.of());
  }
}
