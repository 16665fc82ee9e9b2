package io.uniserve.textindex.document;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SlowCodecReaderWrapper;

/** The segments of an index. */
public final class Segments {
  private Segments() {}

  /** Adds all documents of a reader of another index, which must have other ids. */
  public static void addAll(IndexWriter writer, DirectoryReader reader) throws IOException {
    List<CodecReader> segments = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      segments.add(SlowCodecReaderWrapper.wrap(leaf.reader()));
    }
    if (!segments.isEmpty()) {
      writer.addIndexes(segments.toArray(CodecReader[]::new));
    }
  }
}
