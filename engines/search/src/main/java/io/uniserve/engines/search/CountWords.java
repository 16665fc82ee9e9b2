package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.engines.search.TableStatistics.*;
import java.io.IOException;
import java.util.*;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.*;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * Counts in one actor the words of other actors on which a search depends: those that score, and
 * the fuzzy ones even where they do not, since what they match depends on the table.
 */
record CountWords(List<Word> words, List<FuzzyTerm> fuzzy)
    implements Operator.Retrieve<SearchActor, TableStatistics> {

  /**
   * What to count for a search.
   *
   * @param scoring whether {@code query} scores; {@code others} do not
   */
  static CountWords of(Query query, boolean scoring, Collection<Query> others) {
    Finder finder = new Finder(scoring, new LinkedHashSet<>(), new LinkedHashSet<>());
    query.visit(finder);
    others.forEach(each -> each.visit(finder.withoutScores()));
    return new CountWords(List.copyOf(finder.words), List.copyOf(finder.fuzzy));
  }

  boolean isEmpty() {
    return words.isEmpty() && fuzzy.isEmpty();
  }

  @Override
  public void retrieve(SearchActor actor, Output<TableStatistics> counts, OperatorContext context) {
    counts.put(actor.read(this::count, Optional.empty(), context));
  }

  private TableStatistics count(TableSearcher searcher) throws IOException {
    TableStatistics counts = TableStatistics.empty();
    for (Word word : words) {
      counts.addField(searcher.collectionStatistics(word.field()));
      TermStates states = TermStates.build(searcher, word.term(), true);
      counts.words().put(word, new Count(states.docFreq(), states.totalTermFreq()));
    }
    for (FuzzyTerm each : fuzzy) {
      counts.addField(searcher.collectionStatistics(each.field()));
      counts
          .fuzzy()
          .put(each, FuzzyRewrite.INSTANCE.words(searcher.getIndexReader(), each.query()));
    }
    return counts;
  }

  /** Finds the words of a query. */
  private static final class Finder extends QueryVisitor {
    private final boolean scoring;
    private final Set<Word> words;
    private final Set<FuzzyTerm> fuzzy;

    private Finder(boolean scoring, Set<Word> words, Set<FuzzyTerm> fuzzy) {
      this.scoring = scoring;
      this.words = words;
      this.fuzzy = fuzzy;
    }

    private Finder withoutScores() {
      return new Finder(false, words, fuzzy);
    }

    @Override
    public QueryVisitor getSubVisitor(Occur occur, Query parent) {
      return occur == Occur.MUST || occur == Occur.SHOULD ? this : withoutScores();
    }

    @Override
    public void consumeTerms(Query query, Term... found) {
      if (query instanceof FuzzyQuery exactAfterAll) {
        fuzzy.add(FuzzyTerm.of(exactAfterAll));
      } else if (scoring) {
        Arrays.stream(found).forEach(term -> words.add(Word.of(term)));
      }
    }

    @Override
    public void consumeTermsMatching(
        Query query, String field, Supplier<ByteRunAutomaton> automaton) {
      if (query instanceof FuzzyQuery found) {
        fuzzy.add(FuzzyTerm.of(found));
      }
    }
  }

  /** Adds up what the actors counted. */
  static final class Sum implements Operator.Combiner<TableStatistics, TableStatistics> {
    private final TableStatistics sum = TableStatistics.empty();

    @Override
    public void add(int actor, TableStatistics counts) {
      sum.add(counts);
    }

    @Override
    public TableStatistics result() {
      return sum;
    }
  }
}
