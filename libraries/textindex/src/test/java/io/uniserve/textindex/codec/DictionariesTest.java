package io.uniserve.textindex.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.textindex.SegmentedIndex;
import io.uniserve.textindex.WatchedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** Checks the places of a word; returns the number of segments that have it. */
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
  void aFieldIsCountedOnceAndAsLuceneCountsIt() throws IOException {
    WatchedReader.Seen seen = new WatchedReader.Seen();
    Dictionaries dictionaries = new Dictionaries(new WatchedReader(reader, seen));
    IndexSearcher lucene = new IndexSearcher(reader);
    for (String field : List.of("body", "title", "nowhere", "body", "title", "nowhere")) {
      assertThat(dictionaries.counted(field))
          .as(field)
          .isEqualTo(Optional.ofNullable(lucene.collectionStatistics(field)));
    }
    assertThat(dictionaries.counted("body").orElseThrow().docCount()).isEqualTo(2_501);
    assertThat(seen.asked).as("of four segments, two fields, and twice the third").isEqualTo(16);
  }

  @Test
  void nothingIsKeptOfFieldsThatAreNotThere() throws IOException {
    WatchedReader.Seen seen = new WatchedReader.Seen();
    Dictionaries dictionaries = new Dictionaries(new WatchedReader(reader, seen));
    for (String field : List.of("body", "nowhere", "body", "nowhere")) {
      dictionaries.places(new Term(field, word(1)));
    }
    assertThat(seen.asked).as("of four segments, a field, and twice the other").isEqualTo(12);
  }

  @Test
  void eachIsOpenedOnce() throws IOException {
    WatchedReader.Seen seen = new WatchedReader.Seen();
    WatchedReader watched = new WatchedReader(reader, seen);
    for (int search = 0; search < 10; search++) {
      int found = open.use(watched, words -> words.places(anyWord()).docFreq());
      assertThat(found).isNotNegative();
    }
    assertThat(seen.opened).as("three segments have one field, one the other").isEqualTo(4);
  }

  @Test
  void whoeverComesMeanwhileHasOthers() throws IOException {
    List<Dictionaries> inUse = new ArrayList<>();
    useTogether(3, inUse);
    assertThat(inUse).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void noMoreAreKeptThanThreadsCanUse() throws IOException {
    int threads = Runtime.getRuntime().availableProcessors();
    List<Dictionaries> before = new ArrayList<>();
    useTogether(threads + 1, before);
    List<Dictionaries> after = new ArrayList<>();
    useTogether(threads + 1, after);
    after.retainAll(before);
    assertThat(after).hasSize(threads);
  }

  private void useTogether(int users, List<Dictionaries> inUse) throws IOException {
    Dictionaries used =
        open.use(
            reader,
            dictionaries -> {
              inUse.add(dictionaries);
              if (users > 1) {
                useTogether(users - 1, inUse);
              }
              return dictionaries;
            });
    assertThat(inUse).contains(used);
  }

  private Dictionaries taken(DirectoryReader of) throws IOException {
    return open.use(of, dictionaries -> dictionaries);
  }

  @Test
  void whatFailedLeavesNone() throws IOException {
    List<Dictionaries> failed = new ArrayList<>();
    assertThatThrownBy(
            () ->
                open.use(
                    reader,
                    dictionaries -> {
                      failed.add(dictionaries);
                      throw new IOException("on purpose");
                    }))
        .hasMessage("on purpose");
    assertThat(failed).hasSize(1).doesNotContain(taken(reader));
  }

  @Test
  void dictionariesAreNotTakenForAnotherReader() throws IOException {
    Dictionaries old = taken(reader);
    add("body", 3);
    try (DirectoryReader newer = DirectoryReader.openIfChanged(reader)) {
      assertThat(taken(newer)).isNotSameAs(old);
      assertThat(taken(newer).places(new Term("body", word(1))).wasBuiltFor(newer.getContext()))
          .isTrue();
    }
  }
}
