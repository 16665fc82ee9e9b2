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
 * The automata that recognise the words of a fuzzy term. They depend on the term alone, so that
 * they are built once for all actors of a process; for long terms, whose automata take many
 * megabytes, by each index for itself, so that none are kept. Lucene's {@link FuzzyTermsEnum} hands
 * them on from segment to segment as an attribute that it keeps to itself; here that goes on from
 * index to index.
 */
final class FuzzyAutomata {
  /** Up to here they take 3 MB, with two edits and letters of three bytes. */
  private static final int KEPT_CHARACTERS_MAX = 40;

  private static final Latest<FuzzyAutomata> LATEST = new Latest<>(8);

  private final FuzzyTerm term;
  private final FuzzyQuery query;
  private volatile Optional<AttributeImpl> built = Optional.empty();

  private FuzzyAutomata(FuzzyTerm term) {
    this.term = term;
    this.query = term.query();
  }

  /** Those of a term, the same for all who ask with the same object unless it is long. */
  static FuzzyAutomata of(FuzzyTerm term) {
    return term.text().length() > KEPT_CHARACTERS_MAX
        ? new FuzzyAutomata(term)
        : LATEST.of(term, latest -> latest.term == term, () -> new FuzzyAutomata(term));
  }

  /**
   * The words of a segment that are like the term.
   *
   * @param shared by all segments of an index: what a search for one term has found out
   */
  TermsEnum words(Terms terms, AttributeSource shared) throws IOException {
    if (built.isEmpty()) {
      return build(terms, shared);
    }
    shared.addAttributeImpl(built.get());
    return FuzzyRewrite.words(query, terms, shared);
  }

  /** Whoever comes meanwhile waits: building them beside each other would take as long. */
  private synchronized TermsEnum build(Terms terms, AttributeSource shared) throws IOException {
    built.ifPresent(shared::addAttributeImpl);
    TermsEnum words = FuzzyRewrite.words(query, terms, shared);
    shared.getAttributeImplsIterator().forEachRemaining(this::keep);
    return words;
  }

  /** The other attributes are what a search has found and finds, which is its own. */
  private void keep(AttributeImpl attribute) {
    if (attribute.getClass().getEnclosingClass() == FuzzyTermsEnum.class) {
      built = Optional.of(attribute);
    }
  }
}
