package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import io.uniserve.textindex.query.WordStatistics.Word;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * An operator that counts in one actor the words on which a search depends. These are the words
 * that score, and all fuzzy words, since their matches depend on the whole table.
 */
@Name("CountWords")
record CountWords(List<Word> words, List<FuzzyTerm> fuzzy)
    implements Operator.Retrieve<SearchActor, WordStatistics> {
  private static final int BRIEF_WORDS_MAX = 16;

  /** Makes the operator for a search. */
  static CountWords of(BoundRequest request) {
    Finder finder = new Finder(request.scores(), new LinkedHashSet<>(), new LinkedHashSet<>());
    request.matched().visit(finder);
    request.others().forEach(each -> each.visit(finder.withoutScores()));
    return new CountWords(List.copyOf(finder.words), List.copyOf(finder.fuzzy));
  }

  boolean isEmpty() {
    return words.isEmpty() && fuzzy.isEmpty();
  }

  @Override
  public boolean brief() {
    return fuzzy.isEmpty() && words.size() <= BRIEF_WORDS_MAX;
  }

  @Override
  public void retrieve(SearchActor actor, Output<WordStatistics> counts, OperatorContext context) {
    counts.put(
        actor.read(
            searcher -> {
              WordStatistics counted = count(searcher);
              searcher.leavePlaces();
              return counted;
            },
            Optional.empty(),
            context));
  }

  /** Counts the words in one actor. */
  WordStatistics count(StatisticsSearcher searcher) throws IOException {
    return WordStatistics.of(searcher, words, fuzzy);
  }

  /** A visitor that finds the words of a query. */
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
}
