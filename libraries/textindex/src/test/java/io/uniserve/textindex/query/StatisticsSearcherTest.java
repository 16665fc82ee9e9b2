package io.uniserve.textindex.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.SegmentedIndex;
import io.uniserve.textindex.WatchedReader;
import io.uniserve.textindex.codec.Dictionaries;
import io.uniserve.textindex.phrase.WordPair;
import io.uniserve.textindex.phrase.WordPlaces;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the queries that a searcher leaves to Lucene, and of its own. */
class StatisticsSearcherTest {
  private static final String FIELD = "body";
  private static final PhraseQuery PAIR = new PhraseQuery(FIELD, "is", "also");

  private final WatchedReader.Seen seen = new WatchedReader.Seen();
  private SegmentedIndex index;
  private DirectoryReader reader;
  private StatisticsSearcher searcher;

  @BeforeEach
  void open() throws IOException {
    index = new SegmentedIndex();
    index.add(FIELD, List.of("this is also a text", "a text"));
    reader = new WatchedReader(index.open(), seen);
    searcher =
        new StatisticsSearcher(
            reader, new Dictionaries(reader), Optional.empty(), new WordPlaces(), () -> false);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    index.close();
  }

  private Weight weight(Query query, ScoreMode mode) throws IOException {
    return searcher.createWeight(query, mode, 1);
  }

  @Test
  void twoWordsAreAPairWhereAllHitsAreCountedAndWhereNoneIsScored() throws IOException {
    assertThat(weight(PAIR, ScoreMode.COMPLETE)).isInstanceOf(WordPair.class);
    assertThat(weight(PAIR, ScoreMode.COMPLETE_NO_SCORES)).isInstanceOf(WordPair.class);
    assertThat(weight(new BoostQuery(PAIR, 2), ScoreMode.COMPLETE)).isInstanceOf(WordPair.class);
  }

  @Test
  void otherPhrasesAndTheBestOfManyHitsAreLeftToLucene() throws IOException {
    assertThat(weight(PAIR, ScoreMode.TOP_SCORES)).isNotInstanceOf(WordPair.class);
    assertThat(weight(new PhraseQuery(FIELD, "is", "is"), ScoreMode.COMPLETE))
        .isNotInstanceOf(WordPair.class);
    assertThat(weight(new PhraseQuery(FIELD, "is", "also", "a"), ScoreMode.COMPLETE))
        .isNotInstanceOf(WordPair.class);
  }

  @Test
  void wordsAreLookedUpOnceBoostedOrNot() throws IOException {
    TermQuery word = new TermQuery(new Term(FIELD, "text"));
    weight(word, ScoreMode.COMPLETE);
    int opened = seen.opened;
    assertThat(opened).isPositive();
    weight(word, ScoreMode.COMPLETE);
    weight(new BoostQuery(word, 2), ScoreMode.COMPLETE);
    assertThat(seen.opened).isEqualTo(opened);
  }
}
