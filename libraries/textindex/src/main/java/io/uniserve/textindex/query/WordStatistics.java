package io.uniserve.textindex.query;

import io.uniserve.api.form.Name;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.util.BytesRef;

/**
 * The numbers of occurrences of one query's words, in one index or in several together. These are
 * Lucene's counts, so they include deleted documents that have not been merged away.
 *
 * @param fields the counts of fields, by name
 * @param words the counts of words that score
 * @param fuzzy the words that each fuzzy term stands for
 */
@Name("WordStatistics")
public record WordStatistics(
    Map<String, CollectionStatistics> fields,
    Map<Word, Count> words,
    Map<FuzzyTerm, List<FuzzyWord>> fuzzy) {

  /** A word of a field. */
  public record Word(String field, String text) {
    /** Returns the word of a term. */
    public static Word of(Term term) {
      return new Word(term.field(), term.text());
    }

    public Term term() {
      return new Term(field, text);
    }
  }

  /** The number of documents with a word, and of its occurrences in all documents. */
  public record Count(long documents, long occurrences) {
    /** Returns the counts of a word that was looked up; empty if no document has it. */
    private static Optional<Count> of(TermStates places) {
      return places.docFreq() == 0
          ? Optional.empty()
          : Optional.of(new Count(places.docFreq(), places.totalTermFreq()));
    }

    Count plus(Count other) {
      return new Count(documents + other.documents, occurrences + other.occurrences);
    }

    /**
     * Returns the counts that Lucene uses for all words of a fuzzy term, so that a rare misspelling
     * does not score best.
     */
    Count blendedWith(Count other) {
      return new Count(Math.max(documents, other.documents), occurrences + other.occurrences);
    }
  }

  /** A word with all words like it, up to a number of edits behind a prefix. */
  public record FuzzyTerm(String field, String text, int edits, int prefixLength) {
    /** Returns the term of a query. */
    public static FuzzyTerm of(FuzzyQuery query) {
      Term term = query.getTerm();
      return new FuzzyTerm(term.field(), term.text(), query.getMaxEdits(), query.getPrefixLength());
    }

    FuzzyQuery query() {
      return FuzzyRewrite.query(new Term(field, text), edits, prefixLength);
    }
  }

  /** A word that a fuzzy term stands for. Its likeness is a factor of its score. */
  public record FuzzyWord(String text, float likeness, Count count) {
    private static final Comparator<FuzzyWord> MOST_LIKE =
        Comparator.comparing(FuzzyWord::likeness)
            .reversed()
            .thenComparing(word -> new BytesRef(word.text));

    private FuzzyWord plus(FuzzyWord same) {
      return new FuzzyWord(text, likeness, count.plus(same.count));
    }
  }

  /** Counts in one index. */
  public static WordStatistics of(
      StatisticsSearcher searcher, List<Word> words, List<FuzzyTerm> fuzzy) throws IOException {
    Map<String, CollectionStatistics> fields = new LinkedHashMap<>();
    Map<Word, Count> counts = new LinkedHashMap<>();
    for (Word word : words) {
      addField(word.field(), searcher, fields);
      TermStates places = searcher.places(word.term());
      Count.of(places).ifPresent(count -> counts.put(word, count));
    }
    Map<FuzzyTerm, List<FuzzyWord>> alike = new LinkedHashMap<>();
    for (FuzzyTerm term : fuzzy) {
      addField(term.field(), searcher, fields);
      alike.put(term, mostLike(searcher.like(term), List.of()));
    }
    return new WordStatistics(fields, counts, alike);
  }

  private static void addField(
      String name, StatisticsSearcher searcher, Map<String, CollectionStatistics> fields)
      throws IOException {
    searcher.ownStatistics(name).ifPresent(field -> fields.put(name, field));
  }

  /**
   * Counts a single word in one index.
   *
   * @param places the places of the word
   */
  public static WordStatistics of(StatisticsSearcher searcher, Word word, TermStates places)
      throws IOException {
    return new WordStatistics(
        searcher
            .ownStatistics(word.field())
            .map(field -> Map.of(word.field(), field))
            .orElse(Map.of()),
        Count.of(places).map(count -> Map.of(word, count)).orElse(Map.of()),
        Map.of());
  }

  /** Adds up all counts. */
  public static WordStatistics sum(List<WordStatistics> all) {
    Map<String, CollectionStatistics> fields = new LinkedHashMap<>();
    Map<Word, Count> words = new LinkedHashMap<>();
    Map<FuzzyTerm, List<FuzzyWord>> fuzzy = new LinkedHashMap<>();
    for (WordStatistics each : all) {
      each.fields.forEach((name, field) -> fields.merge(name, field, WordStatistics::both));
      each.words.forEach((word, count) -> words.merge(word, count, Count::plus));
      each.fuzzy.forEach((term, alike) -> fuzzy.merge(term, alike, WordStatistics::mostLike));
    }
    return new WordStatistics(fields, words, fuzzy);
  }

  private static CollectionStatistics both(CollectionStatistics one, CollectionStatistics other) {
    return new CollectionStatistics(
        one.field(),
        one.maxDoc() + other.maxDoc(),
        one.docCount() + other.docCount(),
        one.sumTotalTermFreq() + other.sumTotalTermFreq(),
        one.sumDocFreq() + other.sumDocFreq());
  }

  /**
   * Returns the words that a fuzzy term stands for in two indexes together: the most like it, with
   * equal ones in the order of their bytes, as many as Lucene uses. Each of these words is among
   * the most like in every index that has it, so merging the indexes' lists loses none.
   */
  private static List<FuzzyWord> mostLike(List<FuzzyWord> some, List<FuzzyWord> others) {
    Map<String, FuzzyWord> words = new LinkedHashMap<>();
    Stream.concat(some.stream(), others.stream())
        .forEach(word -> words.merge(word.text, word, FuzzyWord::plus));
    return words.values().stream()
        .sorted(FuzzyWord.MOST_LIKE)
        .limit(FuzzyRewrite.WORDS_MAX)
        .toList();
  }
}
