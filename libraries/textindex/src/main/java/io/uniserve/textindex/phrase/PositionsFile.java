package io.uniserve.textindex.phrase;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * The file of a segment's word positions, which Lucene's own reader returns only one at a time. It
 * is opened once for a segment and closed with it.
 */
final class PositionsFile {
  private static final String FORMAT = new Lucene104PostingsFormat().getName();

  /** The name of the codec in the file's header. */
  private static final String CODEC = FORMAT + "PostingsWriterPos";

  private static final int VERSION = 0;

  private static final Map<Key, PositionsFile> OPEN = new ConcurrentHashMap<>();

  /**
   * The key of an open file.
   *
   * @param segment the key of the segment, which lives as long as the files, for any reader
   * @param suffix the suffix that distinguishes formats of one segment
   */
  private record Key(IndexReader.CacheKey segment, String suffix) {}

  private final Directory compound;
  private final IndexInput file;

  private PositionsFile(Directory compound, IndexInput file) {
    this.compound = compound;
    this.file = file;
  }

  /**
   * Returns the file of a field with positions; empty if its format is not known here, or if it
   * holds more than positions.
   */
  static Optional<PositionsFile> of(LeafReader reader, String field) throws IOException {
    FieldInfo info = reader.getFieldInfos().fieldInfo(field);
    if (!(FilterLeafReader.unwrap(reader) instanceof SegmentReader segment)
        || info.getIndexOptions() != IndexOptions.DOCS_AND_FREQS_AND_POSITIONS
        || info.hasPayloads()
        || !FORMAT.equals(info.getAttribute(PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY))) {
      return Optional.empty();
    }
    String suffix = FORMAT + '_' + info.getAttribute(PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY);
    Key key = new Key(segment.getCoreCacheHelper().getKey(), suffix);
    PositionsFile known = OPEN.get(key);
    return Optional.of(known != null ? known : shared(key, segment));
  }

  private static PositionsFile shared(Key key, SegmentReader segment) throws IOException {
    try {
      return OPEN.computeIfAbsent(key, absent -> open(absent, segment));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static PositionsFile open(Key key, SegmentReader segment) {
    try {
      PositionsFile opened = open(segment, key.suffix);
      segment.getCoreCacheHelper().addClosedListener(closed -> OPEN.remove(key).close());
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PositionsFile open(SegmentReader segment, String suffix) throws IOException {
    SegmentInfo info = segment.getSegmentInfo().info;
    Directory directory = segment.directory();
    Directory compound =
        info.getUseCompoundFile()
            ? info.getCodec().compoundFormat().getCompoundReader(directory, info)
            : null;
    String name =
        IndexFileNames.segmentFileName(info.name, suffix, Lucene104PostingsFormat.POS_EXTENSION);
    IndexInput file = null;
    try {
      file = (compound == null ? directory : compound).openInput(name, IOContext.DEFAULT);
      CodecUtil.checkIndexHeader(file, CODEC, VERSION, VERSION, info.getId(), suffix);
      return new PositionsFile(compound, file);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileSuppressingExceptions(e, file, compound);
      throw e;
    }
  }

  /** Returns the positions of a word. */
  WordPositions positions(IntBlockTermState word) throws IOException {
    return new WordPositions(file.clone(), word);
  }

  /** Returns the number of open files. */
  static int open() {
    return OPEN.size();
  }

  private void close() throws IOException {
    IOUtils.close(new Closeable[] {file, compound});
  }
}
