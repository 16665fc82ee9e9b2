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
 * How often the words of one query occur: in one index, or, added up, in several that are searched
 * as one. What Lucene counts, so documents that are deleted but not yet merged away are in it.
 *
 * @param fields by name
 * @param words those that score
 * @param fuzzy for each fuzzy term the words that it stands for
 */
@Name("WordStatistics")
public record WordStatistics(
    Map<String, CollectionStatistics> fields,
    Map<Word, Count> words,
    Map<FuzzyTerm, List<FuzzyWord>> fuzzy) {

  /** A word of a field. */
  public record Word(String field, String text) {
    /** The word of a term. */
    public static Word of(Term term) {
      return new Word(term.field(), term.text());
    }

    public Term term() {
      return new Term(field, text);
    }
  }

  /** How many documents have a word, and how often it occurs in all. */
  public record Count(long documents, long occurrences) {
    /** What is counted where a word was looked up; empty if it is nowhere. */
    private static Optional<Count> of(TermStates places) {
      return places.docFreq() == 0
          ? Optional.empty()
          : Optional.of(new Count(places.docFreq(), places.totalTermFreq()));
    }

    Count plus(Count other) {
      return new Count(documents + other.documents, occurrences + other.occurrences);
    }

    /** What Lucene gives to all words of a fuzzy term, lest a rare misspelling score best. */
    Count blendedWith(Count other) {
      return new Count(Math.max(documents, other.documents), occurrences + other.occurrences);
    }
  }

  /** A word and those like it, up to a number of edits behind a prefix. */
  public record FuzzyTerm(String field, String text, int edits, int prefixLength) {
    /** The term of a query. */
    public static FuzzyTerm of(FuzzyQuery query) {
      Term term = query.getTerm();
      return new FuzzyTerm(term.field(), term.text(), query.getMaxEdits(), query.getPrefixLength());
    }

    FuzzyQuery query() {
      return FuzzyRewrite.query(new Term(field, text), edits, prefixLength);
    }
  }

  /** A word that a fuzzy term stands for; its likeness is a factor of its score. */
  public record FuzzyWord(String text, float likeness, Count count) {
    private static final Comparator<FuzzyWord> MOST_LIKE =
        Comparator.comparing(FuzzyWord::likeness)
            .reversed()
            .thenComparing(word -> new BytesRef(word.text));

    private FuzzyWord plus(FuzzyWord same) {
      return new FuzzyWord(text, likeness, count.plus(same.count));
    }
  }

  /** What one index counts. */
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
   * What one index counts of a single word.
   *
   * @param places of the word
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

  /** All together. */
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
   * The words of either index that a fuzzy term stands for in both: the most like it, equally like
   * ones in the order of their bytes, as many as Lucene takes. A word among these is among the most
   * like in each index that has it, so that merging what the indexes name loses none.
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
