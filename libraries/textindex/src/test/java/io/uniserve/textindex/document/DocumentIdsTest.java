package io.uniserve.textindex.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.RareWord;
import io.uniserve.textindex.WatchedReader;
import io.uniserve.textindex.codec.Dictionaries;
import io.uniserve.textindex.phrase.WordPlaces;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics.Word;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids are read by document, whenever the document was written. */
class DocumentIdsTest {
  private static final SearchSchema SCHEMA =
      SearchSchema.of("a test", Map.of("fields", Map.of("title", Map.of("type", "keyword"))));
  private static final int DOCUMENTS = 200; // several blocks of ids that are sorted by

  private static String id(int document) {
    return Integer.toString(document * 7919 % 100_003, 36) + (document % 3 == 0 ? "é𝄞" : "");
  }

  private static List<IndexableField> written(String id) {
    return new DocumentMapper(SCHEMA).toLucene(id, Map.of());
  }

  private static List<IndexableField> writtenBefore(String id) {
    return written(id).stream().filter(field -> !field.name().equals(DocumentIds.FIELD)).toList();
  }

  private static void add(IndexWriter writer, Function<String, List<IndexableField>> written)
      throws IOException {
    for (int document = 0; document < DOCUMENTS; document++) {
      writer.addDocument(hasId(document) ? written.apply(id(document)) : List.of());
    }
    writer.flush();
  }

  /** Some have none, so that Lucene finds ids in the order of documents alone. */
  private static boolean hasId(int document) {
    return document % 5 != 0;
  }

  @Test
  void areThoseOfTheDocumentsWheneverTheseWereWritten() throws IOException {
    IndexWriterConfig segmentsStay = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(new ByteBuffersDirectory(), segmentsStay)) {
      add(writer, DocumentIdsTest::written);
      add(writer, DocumentIdsTest::writtenBefore);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        LeafReader now = reader.leaves().get(0).reader();
        LeafReader before = reader.leaves().get(1).reader();
        assertThat(now.getBinaryDocValues(DocumentIds.FIELD)).isNotNull();
        assertThat(before.getBinaryDocValues(DocumentIds.FIELD)).isNull();
        checkInAnyOrder(new DocumentIds(now));
        checkInAnyOrder(new DocumentIds(before));
      }
    }
  }

  private static void checkInAnyOrder(DocumentIds ids) throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      int document = random.nextInt(DOCUMENTS);
      if (hasId(document)) {
        assertThat(ids.of(document).utf8ToString()).isEqualTo(id(document));
        assertThat(ids.of(document).utf8ToString()).as("again").isEqualTo(id(document));
      }
    }
  }

  @Test
  void ofRareWordsAreReadWithoutTheOrderOfAll() throws IOException {
    WatchedReader.Seen seen = new WatchedReader.Seen();
    try (IndexWriter writer =
        new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig())) {
      for (String id : List.of("b", "a")) {
        writer.addDocument(new DocumentMapper(SCHEMA).toLucene(id, Map.of("title", "rare")));
      }
      try (DirectoryReader reader = new WatchedReader(DirectoryReader.open(writer), seen)) {
        StatisticsSearcher searcher =
            new StatisticsSearcher(
                reader, new Dictionaries(reader), Optional.empty(), new WordPlaces(), () -> false);
        RareWord found = RareWord.of(new Word("title", "rare"), List.of(), SCHEMA, searcher);
        assertThat(found.documents().orElseThrow())
            .extracting(RareWord.Unscored::id)
            .containsExactly("b", "a");
      }
    }
    assertThat(seen.ordered).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {DocumentIds.FIELD, "(*", "*)"})
  void haveAFieldThatNoSchemaHas(String name) {
    Map<String, Object> fields = Map.of("fields", Map.of(name, Map.of("type", "keyword")));
    assertThatThrownBy(() -> SearchSchema.of("a test", fields))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("field '" + name + "'");
  }
}
