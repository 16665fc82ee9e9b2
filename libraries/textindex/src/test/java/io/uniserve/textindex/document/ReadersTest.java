package io.uniserve.textindex.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes that readers show at once, whether or not somebody looks. */
@Timeout(60)
class ReadersTest {
  private static final SearchSchema SCHEMA =
      SearchSchema.of("a test", Map.of("fields", Map.of("title", Map.of("type", "keyword"))));

  private IndexWriter writer;
  private Readers readers;

  @BeforeEach
  void open() throws IOException {
    writer =
        new IndexWriter(
            new ByteBuffersDirectory(),
            new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
    readers = new Readers(writer, SCHEMA);
  }

  @AfterEach
  void close() throws IOException {
    readers.close();
    writer.close();
  }

  /** Adds two documents in one change. */
  private void addTwo() throws IOException {
    readers.changeAtOnce(
        () -> {
          for (int i = 0; i < 2; i++) {
            Document document = new Document();
            document.add(new StringField("title", "x", Field.Store.NO));
            writer.addDocument(document);
          }
        });
  }

  private int documents() throws IOException {
    DirectoryReader reader = readers.acquire();
    try {
      return reader.numDocs();
    } finally {
      readers.release(reader);
    }
  }

  private int segments() throws IOException {
    DirectoryReader reader = readers.acquire();
    try {
      return reader.leaves().size();
    } finally {
      readers.release(reader);
    }
  }

  @Test
  void eachChangeIsShownToTheNextWhoLooks() throws IOException {
    for (int change = 1; change <= 5; change++) {
      addTwo();
      assertThat(documents()).isEqualTo(2 * change);
    }
  }

  @Test
  void changesThatNobodyWatchesAreWrittenToOneSegment() throws IOException {
    for (int change = 0; change < 20; change++) {
      addTwo();
    }
    assertThat(segments()).isEqualTo(1);
    assertThat(documents()).isEqualTo(40);
  }

  @Test
  void nobodySeesAPartOfAChange() throws IOException, InterruptedException, ExecutionException {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> changes =
          thread.submit(
              () -> {
                for (int change = 0; change < 500; change++) {
                  addTwo();
                }
                return null;
              });
      while (!changes.isDone()) {
        assertThat(documents()).isEven();
      }
      changes.get();
    }
    assertThat(documents()).isEqualTo(1_000);
  }
}
