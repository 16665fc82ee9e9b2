package io.uniserve.textindex.phrase;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.SegmentedIndex;
import io.uniserve.textindex.codec.Dictionaries;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.Word;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that places of words go from their count to one search of the same index, and no further.
 */
class WordPlacesTest {
  private static final String FIELD = "body";
  private static final Term WORD = new Term(FIELD, "word");

  private final WordPlaces places = new WordPlaces();
  private SegmentedIndex index;
  private DirectoryReader reader;

  @BeforeEach
  void open() throws IOException {
    index = new SegmentedIndex();
    add("a word");
    add("nothing of it");
    add("word for word");
    reader = index.open();
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    index.close();
  }

  /** A document in a segment of its own. */
  private void add(String text) throws IOException {
    index.add(FIELD, List.of(text));
  }

  private StatisticsSearcher searcher(DirectoryReader index) {
    return new StatisticsSearcher(
        index, new Dictionaries(index), Optional.empty(), places, () -> false);
  }

  private static Count count(StatisticsSearcher searcher) throws IOException {
    Word word = Word.of(WORD);
    return WordStatistics.of(searcher, List.of(word), List.of()).words().get(word);
  }

  /** Counts and leaves the place of the word, which it gives. */
  private TermStates leave() throws IOException {
    StatisticsSearcher searcher = searcher(reader);
    assertThat(count(searcher)).isEqualTo(new Count(2, 3));
    searcher.leavePlaces();
    return searcher.places(WORD);
  }

  @Test
  void aPlaceIsTakenByTheNextSearchAlone() throws IOException {
    TermStates left = leave();
    assertThat(searcher(reader).places(WORD)).isSameAs(left);
    assertThat(searcher(reader).places(WORD)).isNotSameAs(left);
  }

  @Test
  void anotherWordDoesNotTakeIt() throws IOException {
    TermStates left = leave();
    Term other = new Term(FIELD, "nothing");
    assertThat(searcher(reader).places(other).docFreq()).isEqualTo(1);
    assertThat(searcher(reader).places(WORD)).isSameAs(left);
  }

  @Test
  void anotherIndexHasItsWordsLookedUpAnew() throws IOException {
    leave();
    add("one more word");
    try (DirectoryReader newer = DirectoryReader.openIfChanged(reader)) {
      assertThat(count(searcher(newer))).isEqualTo(new Count(3, 4));
    }
    assertThat(count(searcher(reader))).isEqualTo(new Count(2, 3));
  }
}
