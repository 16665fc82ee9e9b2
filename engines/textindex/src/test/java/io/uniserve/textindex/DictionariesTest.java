package io.uniserve.textindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dictionaries that stay open say what ones opened for each search do. */
class DictionariesTest {
  private static final int WORDS = 3_000; // several blocks of a dictionary

  private final Random random = new Random(5);
  private final OpenDictionaries open = new OpenDictionaries();
  private SegmentedIndex index;
  private DirectoryReader reader;

  @BeforeEach
  void open() throws IOException {
    index = new SegmentedIndex();
    add("body", 2_000);
    add("title", 10);
    add("body", 1);
    add("body", 500);
    reader = index.open();
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    index.close();
  }

  /** A segment of documents that have this field alone, with words of all lengths. */
  private void add(String field, int documents) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      StringBuilder text = new StringBuilder();
      for (int k = 0; k < 5; k++) {
        text.append(word(random.nextInt(WORDS))).append(' ');
      }
      texts.add(text.toString());
    }
    index.add(field, texts);
  }

  private static String word(int number) {
    return Integer.toString(number * 7919, number % 2 == 0 ? 36 : 10);
  }

  private Term anyWord() {
    return new Term(random.nextInt(4) == 0 ? "title" : "body", word(random.nextInt(WORDS + 500)));
  }

  @Test
  void wordsAreWhereLuceneFindsThem() throws IOException {
    Dictionaries dictionaries = new Dictionaries(reader);
    int found = 0;
    for (int i = 0; i < 5_000; i++) {
      Term word = anyWord();
      found += same(word, dictionaries.places(word));
      found += same(word, dictionaries.places(word));
    }
    assertThat(found).isBetween(5_000, 20_000);
    assertThat(dictionaries.places(new Term("nowhere", "word")).docFreq()).isZero();
  }

  /** In how many segments it is. */
  private int same(Term word, TermStates places) throws IOException {
    TermStates right = TermStates.build(new IndexSearcher(reader), word, true);
    assertThat(places.docFreq()).as("documents of %s", word).isEqualTo(right.docFreq());
    assertThat(places.totalTermFreq()).as("all %s", word).isEqualTo(right.totalTermFreq());
    int segments = 0;
    for (LeafReaderContext segment : reader.leaves()) {
      assertThat(places.get(segment) == null)
          .as("%s in segment %d", word, segment.ord)
          .isEqualTo(right.get(segment) == null);
      segments += places.get(segment) == null ? 0 : 1;
    }
    return segments;
  }

  @Test
  void documentsAreThoseThatLuceneFinds() throws IOException {
    Dictionaries dictionaries = new Dictionaries(reader);
    int found = 0;
    for (int i = 0; i < 2_000; i++) {
      Term word = anyWord();
      TermStates places = dictionaries.places(word);
      dictionaries.places(anyWord()); // stands elsewhere then
      for (LeafReaderContext segment : reader.leaves()) {
        PostingsEnum right = segment.reader().postings(word, PostingsEnum.FREQS);
        if (places.get(segment) == null) {
          assertThat(right).as("%s in segment %d", word, segment.ord).isNull();
        } else {
          List<Integer> documents =
              read(dictionaries.documents(word, segment, places.get(segment).get()));
          assertThat(documents).as("%s", word).isNotEmpty().isEqualTo(read(right));
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(1_000);
  }

  /** Documents, each with how often it has the word. */
  private static List<Integer> read(PostingsEnum postings) throws IOException {
    List<Integer> read = new ArrayList<>();
    while (postings.nextDoc() != PostingsEnum.NO_MORE_DOCS) {
      read.add(postings.docID());
      read.add(postings.freq());
    }
    return read;
  }

  @Test
  void whatIsLeftIsTakenOnce() {
    Dictionaries one = open.take(reader);
    assertThat(open.take(reader)).as("nobody left any").isNotSameAs(one);
    open.leave(one);
    assertThat(open.take(reader)).isSameAs(one);
    assertThat(open.take(reader)).as("in use").isNotSameAs(one);
  }

  @Test
  void dictionariesAreNotTakenForAnotherReader() throws IOException {
    open.leave(open.take(reader));
    add("body", 3);
    try (DirectoryReader newer = DirectoryReader.openIfChanged(reader)) {
      Dictionaries dictionaries = open.take(newer);
      Term word = new Term("body", word(1));
      assertThat(dictionaries.places(word).wasBuiltFor(newer.getContext())).isTrue();
    }
  }

  @Test
  void noMoreAreKeptThanThreadsCanUse() {
    int kept = Runtime.getRuntime().availableProcessors();
    List<Dictionaries> all = new ArrayList<>();
    for (int i = 0; i <= kept; i++) {
      all.add(open.take(reader));
    }
    all.forEach(open::leave);
    for (int i = 0; i < kept; i++) {
      assertThat(open.take(reader)).isSameAs(all.get(i));
    }
    assertThat(all).doesNotContain(open.take(reader));
  }
}
