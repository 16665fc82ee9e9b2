package io.uniserve.engines.search;

import java.util.*;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.util.BytesRef;

/**
 * How often the words of one query occur: in an actor, or, added up, in the whole table. What
 * Lucene counts, so documents that are deleted but not yet merged away are in it.
 *
 * @param fields by name
 * @param words those that score
 * @param fuzzy for each fuzzy term the words that it stands for
 */
record TableStatistics(
    Map<String, CollectionStatistics> fields,
    Map<Word, Count> words,
    Map<FuzzyTerm, List<FuzzyWord>> fuzzy) {

  /** A word of a field. */
  record Word(String field, String text) {
    static Word of(Term term) {
      return new Word(term.field(), term.text());
    }

    Term term() {
      return new Term(field, text);
    }
  }

  /** How many documents have a word, and how often it occurs in all. */
  record Count(long documents, long occurrences) {
    Count plus(Count other) {
      return new Count(documents + other.documents, occurrences + other.occurrences);
    }

    /** What Lucene gives to all words of a fuzzy term, lest a rare misspelling score best. */
    Count blendedWith(Count other) {
      return new Count(Math.max(documents, other.documents), occurrences + other.occurrences);
    }
  }

  /** A word and those like it, up to a number of edits behind a prefix. */
  record FuzzyTerm(String field, String text, int edits, int prefixLength) {
    static FuzzyTerm of(FuzzyQuery query) {
      Term term = query.getTerm();
      return new FuzzyTerm(term.field(), term.text(), query.getMaxEdits(), query.getPrefixLength());
    }

    FuzzyQuery query() {
      return FuzzyRewrite.query(new Term(field, text), edits, prefixLength);
    }
  }

  /** A word that a fuzzy term stands for; its likeness is a factor of its score. */
  record FuzzyWord(String text, float likeness, Count count) {
    private static final Comparator<FuzzyWord> MOST_LIKE =
        Comparator.comparing(FuzzyWord::likeness)
            .reversed()
            .thenComparing(word -> new BytesRef(word.text));

    private FuzzyWord plus(FuzzyWord same) {
      return new FuzzyWord(text, likeness, count.plus(same.count));
    }
  }

  static TableStatistics empty() {
    return new TableStatistics(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  /** Notes a field, if the actor has it. */
  void addField(CollectionStatistics field) {
    if (field != null) {
      fields.put(field.field(), field);
    }
  }

  /** Adds what another actor counted. */
  void add(TableStatistics other) {
    merge(fields, other.fields, TableStatistics::sum);
    merge(words, other.words, Count::plus);
    merge(fuzzy, other.fuzzy, TableStatistics::mostLike);
  }

  private static <K, V> void merge(Map<K, V> into, Map<K, V> from, BinaryOperator<V> plus) {
    from.forEach((key, value) -> into.merge(key, value, plus));
  }

  private static CollectionStatistics sum(CollectionStatistics one, CollectionStatistics other) {
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
  static List<FuzzyWord> mostLike(List<FuzzyWord> some, List<FuzzyWord> others) {
    Map<String, FuzzyWord> words = new LinkedHashMap<>();
    Stream.concat(some.stream(), others.stream())
        .forEach(word -> words.merge(word.text, word, FuzzyWord::plus));
    return words.values().stream()
        .sorted(FuzzyWord.MOST_LIKE)
        .limit(FuzzyRewrite.WORDS_MAX)
        .toList();
  }
}
