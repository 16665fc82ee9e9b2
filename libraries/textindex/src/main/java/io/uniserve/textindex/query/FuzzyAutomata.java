package io.uniserve.textindex.query;

import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.FuzzyTermsEnum;
import org.apache.lucene.util.AttributeImpl;
import org.apache.lucene.util.AttributeSource;

/**
 * The automata that recognise the words of a fuzzy term. They depend on the term alone, so they are
 * built once for all actors of a process. Automata of long terms take many megabytes, so each index
 * builds its own and none are kept. Lucene's {@link FuzzyTermsEnum} hands automata from segment to
 * segment in an internal attribute; this class hands them from index to index.
 */
final class FuzzyAutomata {
  /**
   * The longest term whose automata are kept, in characters. They then take up to 3 MB, with two
   * edits and letters of three bytes.
   */
  private static final int KEPT_CHARACTERS_MAX = 40;

  private static final Latest<FuzzyAutomata> LATEST = new Latest<>(8);

  private final FuzzyTerm term;
  private final FuzzyQuery query;
  private volatile Optional<AttributeImpl> built = Optional.empty();

  private FuzzyAutomata(FuzzyTerm term) {
    this.term = term;
    this.query = term.query();
  }

  /**
   * Returns the automata of a term. All callers with the same object get the same ones, unless the
   * term is long.
   */
  static FuzzyAutomata of(FuzzyTerm term) {
    return term.text().length() > KEPT_CHARACTERS_MAX
        ? new FuzzyAutomata(term)
        : LATEST.of(term, latest -> latest.term == term, () -> new FuzzyAutomata(term));
  }

  /**
   * Returns the words of a segment that are like the term.
   *
   * @param shared the state of the search for one term, which all segments of an index share
   */
  TermsEnum words(Terms terms, AttributeSource shared) throws IOException {
    if (built.isEmpty()) {
      return build(terms, shared);
    }
    shared.addAttributeImpl(built.get());
    return FuzzyRewrite.words(query, terms, shared);
  }

  /**
   * Builds the automata. Other threads wait meanwhile, since building them in parallel would take
   * as long.
   */
  private synchronized TermsEnum build(Terms terms, AttributeSource shared) throws IOException {
    built.ifPresent(shared::addAttributeImpl);
    TermsEnum words = FuzzyRewrite.words(query, terms, shared);
    shared.getAttributeImplsIterator().forEachRemaining(this::keep);
    return words;
  }

  /** Keeps the automata of a search. Its other attributes are its own state. */
  private void keep(AttributeImpl attribute) {
    if (attribute.getClass().getEnclosingClass() == FuzzyTermsEnum.class) {
      built = Optional.of(attribute);
    }
  }
}
