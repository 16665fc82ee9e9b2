package io.uniserve.textindex.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.SegmentedIndex;
import io.uniserve.textindex.WatchedReader;
import io.uniserve.textindex.codec.Dictionaries;
import io.uniserve.textindex.phrase.WordPlaces;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import io.uniserve.textindex.query.WordStatistics.FuzzyWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The words most like a fuzzy term are those of all words of the index, with all their counts. */
class MostLikeTest {
  private static final String FIELD = "body";
  private static final int SEGMENTS = 4;

  private final Random random = new Random(11);
  private final WatchedReader.Seen seen = new WatchedReader.Seen();
  private SegmentedIndex index;
  private DirectoryReader reader;

  @BeforeEach
  void open() throws IOException {
    index = new SegmentedIndex();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      Supplier<String> text = () -> word() + " " + word() + " " + word();
      index.add(FIELD, Stream.generate(text).limit(300).toList());
    }
    reader = new WatchedReader(index.open(), seen);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    index.close();
  }

  /** One to six of few letters, one of which takes two bytes: many are like each other. */
  private String word() {
    StringBuilder word = new StringBuilder();
    for (int length = 1 + random.nextInt(6); word.length() < length; ) {
      word.append("abcé".charAt(random.nextInt(4)));
    }
    return word.toString();
  }

  @Test
  void areTheBestOfAllWords() throws IOException {
    int many = 0;
    int looked = 0;
    int there = 0;
    for (int i = 0; i < 400; i++) {
      FuzzyTerm term = new FuzzyTerm(FIELD, word(), random.nextInt(3), random.nextInt(2));
      int before = seen.enumerated;
      List<FuzzyWord> all = all(term);
      there += seen.enumerated - before;
      many += all.size() > FuzzyRewrite.WORDS_MAX ? 1 : 0;
      before = seen.enumerated;
      List<FuzzyWord> counted = counted(term);
      looked += seen.enumerated - before;
      assertThat(counted)
          .as("%s", term)
          .isEqualTo(all.subList(0, Math.min(all.size(), FuzzyRewrite.WORDS_MAX)));
    }
    assertThat(many).as("terms that more words are like than are taken").isGreaterThan(100);
    assertThat(looked).as("words looked at, of %d alike", there).isLessThan(there / 10 * 9);
  }

  @Test
  void areRecognisedByTheSameAutomataInAnotherIndex() throws IOException {
    FuzzyTerm term = new FuzzyTerm(FIELD, "abca", 2, 0);
    counted(term);
    Set<CompiledAutomaton> first = Set.copyOf(seen.automata);
    counted(term);
    assertThat(first).isNotEmpty();
    assertThat(seen.automata).hasSameSizeAs(first);
    counted(new FuzzyTerm(FIELD, "abca", 2, 0));
    assertThat(seen.automata.size()).as("with those of another query").isGreaterThan(first.size());
  }

  private List<FuzzyWord> counted(FuzzyTerm term) throws IOException {
    StatisticsSearcher searcher =
        new StatisticsSearcher(
            reader, new Dictionaries(reader), Optional.empty(), new WordPlaces(), () -> false);
    List<FuzzyWord> counted =
        WordStatistics.of(searcher, List.of(), List.of(term)).fuzzy().get(term);
    seen.opened = 0;
    List<Integer> documents = new ArrayList<>();
    for (FuzzyWord word : counted) {
      documents.add(searcher.places(new Term(FIELD, word.text())).docFreq());
    }
    assertThat(seen.opened).as("dictionaries opened for words that were found").isZero();
    for (int i = 0; i < counted.size(); i++) {
      Term exactly = new Term(FIELD, counted.get(i).text());
      assertThat(documents.get(i)).as("%s", exactly).isEqualTo(reader.docFreq(exactly));
    }
    return counted;
  }

  /** All words like a term, in order; found one segment at a time, nothing passed over. */
  private List<FuzzyWord> all(FuzzyTerm term) throws IOException {
    Map<String, Float> likeness = new HashMap<>();
    for (LeafReaderContext segment : reader.leaves()) {
      TermsEnum words =
          FuzzyRewrite.words(term.query(), segment.reader().terms(FIELD), new AttributeSource());
      BoostAttribute boost = words.attributes().addAttribute(BoostAttribute.class);
      for (BytesRef word = words.next(); word != null; word = words.next()) {
        likeness.put(word.utf8ToString(), boost.getBoost());
      }
    }
    List<FuzzyWord> all = new ArrayList<>();
    for (Map.Entry<String, Float> each : likeness.entrySet()) {
      Term exactly = new Term(FIELD, each.getKey());
      Count count = new Count(reader.docFreq(exactly), reader.totalTermFreq(exactly));
      all.add(new FuzzyWord(each.getKey(), each.getValue(), count));
    }
    all.sort(
        Comparator.comparing(FuzzyWord::likeness)
            .reversed()
            .thenComparing(word -> new BytesRef(word.text())));
    return all;
  }
}
