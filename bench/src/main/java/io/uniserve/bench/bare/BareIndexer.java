package io.uniserve.bench.bare;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.tasks.TaskTranslation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * A writer of documents into several Lucene indexes. The hash of a document's id selects its index.
 * It is thread-safe.
 */
public final class BareIndexer implements Closeable {

  private static final double BUFFER_MEGABYTES = 64;

  /** The treatment of an earlier document with the same id. */
  public enum Mode {
    /** The earlier document stays. This is the least that a writer can do. */
    ADD("bare IndexWriter, adding"),
    /**
     * The earlier document is replaced. A system in which documents can be replaced must do this.
     */
    REPLACE("bare IndexWriter, replacing by id");

    private final String title;

    Mode(String title) {
      this.title = title;
    }

    /** Returns the name of the mode in the report. */
    public String title() {
      return title;
    }
  }

  private final Mode mode;
  private final List<IndexWriter> writers = new ArrayList<>();

  public BareIndexer(List<Path> directories, Mode mode) throws IOException {
    this.mode = mode;
    for (Path directory : directories) {
      IndexWriterConfig config =
          new IndexWriterConfig(new StandardAnalyzer())
              .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
              .setRAMBufferSizeMB(BUFFER_MEGABYTES);
      writers.add(new IndexWriter(FSDirectory.open(directory), config));
    }
  }

  public void write(BenchDocument document) {
    Document fields = new Document();
    fields.add(new StringField("id", document.id(), Store.YES));
    fields.add(new SortedSetDocValuesField("id", new BytesRef(document.id())));
    fields.add(new TextField("title", document.title(), Store.YES));
    fields.add(new TextField("body", document.body(), Store.YES));
    fields.add(new LongPoint(TaskTranslation.NUMBER_FIELD, document.timeSecond()));
    IndexWriter writer = writers.get(Math.floorMod(document.id().hashCode(), writers.size()));
    try {
      switch (mode) {
        case ADD -> writer.addDocument(fields);
        case REPLACE -> writer.updateDocument(new Term("id", document.id()), fields);
      }
    } catch (IOException e) {
      throw new BenchException("Cannot index document " + document.id(), e);
    }
  }

  public void commit() throws IOException {
    for (IndexWriter writer : writers) {
      writer.commit();
    }
  }

  /** Commits the remaining documents and waits for running merges. */
  @Override
  public void close() throws IOException {
    for (IndexWriter writer : writers) {
      writer.close();
    }
  }
}
