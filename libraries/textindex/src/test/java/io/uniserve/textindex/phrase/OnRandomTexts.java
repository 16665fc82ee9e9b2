package io.uniserve.textindex.phrase;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.phrase.RandomTexts.Files;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests on random texts, of which no file stays open. */
abstract class OnRandomTexts {
  private static final Map<Files, RandomTexts> TEXTS = new EnumMap<>(Files.class);

  @BeforeAll
  static void index() throws IOException {
    for (Files files : Files.values()) {
      TEXTS.put(files, files.texts());
    }
  }

  @AfterAll
  static void close() throws IOException {
    for (RandomTexts each : TEXTS.values()) {
      each.close();
    }
    TEXTS.clear();
    assertThat(PositionsFile.open()).isZero();
  }

  static IndexReader reader(Files files) {
    return TEXTS.get(files).reader();
  }
}
