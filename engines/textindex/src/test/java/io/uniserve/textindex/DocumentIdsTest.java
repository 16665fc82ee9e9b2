package io.uniserve.textindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReaderContext;
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

  @Test
  void areThoseOfTheDocumentsWheneverTheseWereWritten() throws IOException {
    List<String> read = new ArrayList<>();
    IndexWriterConfig segmentsStay = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(new ByteBuffersDirectory(), segmentsStay)) {
      for (int document = 0; document < 2 * DOCUMENTS; document++) {
        boolean before = document < DOCUMENTS;
        writer.addDocument(before ? writtenBefore(id(document)) : written(id(document)));
        if (document == DOCUMENTS - 1) {
          writer.flush();
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(reader.leaves()).hasSize(2);
        for (LeafReaderContext segment : reader.leaves()) {
          DocumentIds ids = new DocumentIds(segment.reader());
          for (int document = 0; document < DOCUMENTS; document += 3) {
            read.add(ids.of(document).utf8ToString());
          }
        }
      }
    }
    List<String> right = new ArrayList<>();
    for (int segment = 0; segment < 2; segment++) {
      for (int document = 0; document < DOCUMENTS; document += 3) {
        right.add(id(segment * DOCUMENTS + document));
      }
    }
    assertThat(read).isEqualTo(right);
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
