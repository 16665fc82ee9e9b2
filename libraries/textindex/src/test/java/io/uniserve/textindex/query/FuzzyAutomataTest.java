package io.uniserve.textindex.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.SegmentedIndex;
import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.MaxNonCompetitiveBoostAttribute;
import org.apache.lucene.util.AttributeImpl;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FuzzyAutomataTest {
  private static final String FIELD = "body";

  private SegmentedIndex index;
  private DirectoryReader reader;
  private Terms terms;

  @BeforeEach
  void open() throws IOException {
    index = new SegmentedIndex();
    index.add(FIELD, List.of("lucene", "lucerne lacent", "duck"));
    reader = index.open();
    terms = reader.leaves().getFirst().reader().terms(FIELD);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    index.close();
  }

  /** A search of one index. */
  private final class Search {
    private final AttributeSource shared = new AttributeSource();
    private final List<String> found = new ArrayList<>();

    Search(FuzzyTerm term) throws IOException {
      shared.addAttribute(MaxNonCompetitiveBoostAttribute.class);
      TermsEnum words = FuzzyAutomata.of(term).words(terms, shared);
      for (BytesRef word = words.next(); word != null; word = words.next()) {
        found.add(word.utf8ToString());
      }
    }

    AttributeImpl automata() {
      List<AttributeImpl> all = new ArrayList<>();
      shared.getAttributeImplsIterator().forEachRemaining(all::add);
      all.removeIf(MaxNonCompetitiveBoostAttribute.class::isInstance);
      all.removeIf(BoostAttribute.class::isInstance);
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  @Test
  void areThoseOfTheFirstIndexForOthers() throws IOException {
    FuzzyTerm term = new FuzzyTerm(FIELD, "lucene", 2, 0);
    Search first = new Search(term);
    Search second = new Search(term);
    assertThat(first.found).containsExactly("lacent", "lucene", "lucerne");
    assertThat(second.found).isEqualTo(first.found);
    assertThat(second.automata()).isSameAs(first.automata());
    assertThat(second.shared.getAttribute(BoostAttribute.class))
        .as("how like each word is")
        .isNotSameAs(first.shared.getAttribute(BoostAttribute.class));
  }

  @Test
  void areNotThoseOfAnotherQuery() throws IOException {
    Set<AttributeImpl> ofEqualTerms = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 50; i++) { // more than are kept
      ofEqualTerms.add(new Search(new FuzzyTerm(FIELD, "lucene", 2, 0)).automata());
    }
    Search stricter = new Search(new FuzzyTerm(FIELD, "lucene", 1, 0));
    assertThat(ofEqualTerms).hasSize(50);
    assertThat(stricter.found).containsExactly("lucene", "lucerne");
  }

  @Test
  void areBuiltOnceHoweverManyIndexesAskAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        FuzzyTerm term = new FuzzyTerm(FIELD, "lucene", 2, 0);
        List<Callable<Search>> searches = Collections.nCopies(8, () -> new Search(term));
        Set<AttributeImpl> automata = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Future<Search> search : threads.invokeAll(searches)) {
          assertThat(search.get().found).containsExactly("lacent", "lucene", "lucerne");
          automata.add(search.get().automata());
        }
        assertThat(automata).hasSize(1);
      }
    }
  }

  @Test
  void areNotKeptForLongTerms() throws IOException {
    FuzzyTerm kept = new FuzzyTerm(FIELD, "x".repeat(40), 2, 0);
    assertThat(new Search(kept).automata()).isSameAs(new Search(kept).automata());
    FuzzyTerm tooLong = new FuzzyTerm(FIELD, "x".repeat(41), 2, 0);
    assertThat(new Search(tooLong).automata()).isNotSameAs(new Search(tooLong).automata());
  }

  @Test
  void areNoneOfATermWithoutEdits() throws IOException {
    FuzzyTerm term = new FuzzyTerm(FIELD, "lacent", 0, 0);
    assertThat(new Search(term).found).containsExactly("lacent");
    assertThat(new Search(term).found).containsExactly("lacent");
  }
}
