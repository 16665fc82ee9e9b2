package io.uniserve.textindex;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;

/** An index in memory whose segments stay as they are. */
public final class SegmentedIndex implements AutoCloseable {
  private final IndexWriter writer;

  public SegmentedIndex() throws IOException {
    writer =
        new IndexWriter(
            new ByteBuffersDirectory(),
            new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
  }

  /** Adds a segment with a document for each text, which has this field alone. */
  public void add(String field, List<String> texts) throws IOException {
    for (String text : texts) {
      Document document = new Document();
      document.add(new TextField(field, text, Field.Store.NO));
      writer.addDocument(document);
    }
    writer.flush();
  }

  /** A reader of what has been added. */
  public DirectoryReader open() throws IOException {
    return DirectoryReader.open(writer);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
