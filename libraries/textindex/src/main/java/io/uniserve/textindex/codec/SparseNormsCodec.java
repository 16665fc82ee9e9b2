package io.uniserve.textindex.codec;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsConsumer;
import org.apache.lucene.codecs.NormsFormat;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;

/**
 * Lucene's own codec with a faster lookup of field lengths while small segments are written. It
 * matters for a text field that some documents lack. Lucene asks for the length of every document
 * of every word. In such a field of a segment of a few thousand documents it passes all earlier
 * documents each time, so writing a segment takes longer than indexing its documents. This codec
 * reads the lengths once, into a table. The files are the same, and Lucene's codec reads them.
 */
public final class SparseNormsCodec extends FilterCodec {
  /**
   * The most documents of a segment with a table, which takes 9 bits for each. In larger segments
   * most documents are in blocks that Lucene looks up directly.
   */
  private static final int DOCUMENTS_MAX = 1 << 16;

  /** Makes the codec of new segments. */
  public SparseNormsCodec() {
    this(Codec.getDefault());
  }

  private SparseNormsCodec(Codec lucene) {
    super(lucene.getName(), lucene);
  }

  @Override
  public NormsFormat normsFormat() {
    return new Format(delegate.normsFormat());
  }

  private static final class Format extends NormsFormat {
    private final NormsFormat lucene;

    Format(NormsFormat lucene) {
      this.lucene = lucene;
    }

    @Override
    public NormsConsumer normsConsumer(SegmentWriteState state) throws IOException {
      return lucene.normsConsumer(state);
    }

    @Override
    public NormsProducer normsProducer(SegmentReadState state) throws IOException {
      NormsProducer norms = lucene.normsProducer(state);
      int documents = state.segmentInfo.maxDoc();
      return documents > DOCUMENTS_MAX ? norms : new Tables(norms, documents);
    }
  }

  /** The tables of one segment, each made when its field is first asked for. */
  private static final class Tables extends NormsProducer {
    private final NormsProducer lucene;
    private final int documents;
    private final Map<Integer, Table> tables = new ConcurrentHashMap<>();

    public Tables(NormsProducer lucene, int documents) {
      this.lucene = lucene;
      this.documents = documents;
    }

    @Override
    public NumericDocValues getNorms(FieldInfo field) throws IOException {
      Table known = tables.get(field.number);
      if (known != null) {
        return new Lookup(known);
      }
      NumericDocValues norms = lucene.getNorms(field);
      if (norms.cost() == documents) {
        return norms; // no document lacks the field, so Lucene looks lengths up directly
      }
      Table made = Table.of(norms, documents);
      tables.put(field.number, made);
      return new Lookup(made);
    }

    @Override
    public void checkIntegrity() throws IOException {
      lucene.checkIntegrity();
    }

    @Override
    public void close() throws IOException {
      lucene.close();
    }
  }

  /** A table of norms. Each is a byte with the length in Lucene's encoding. */
  private record Table(FixedBitSet present, byte[] norms, long count) {
    static Table of(NumericDocValues values, int documents) throws IOException {
      FixedBitSet present = new FixedBitSet(documents);
      byte[] norms = new byte[documents];
      long count = 0;
      for (int document = values.nextDoc();
          document != DocIdSetIterator.NO_MORE_DOCS;
          document = values.nextDoc()) {
        present.set(document);
        norms[document] = oneByte(values.longValue());
        count++;
      }
      return new Table(present, norms, count);
    }

    private static byte oneByte(long norm) {
      if (norm != (byte) norm) {
        throw new IllegalStateException("a norm of more than a byte: " + norm);
      }
      return (byte) norm;
    }
  }

  private static final class Lookup extends NumericDocValues {
    private final Table table;
    private int document = -1;

    Lookup(Table table) {
      this.table = table;
    }

    @Override
    public boolean advanceExact(int target) {
      document = target;
      return table.present.get(target);
    }

    @Override
    public long longValue() {
      return table.norms[document];
    }

    @Override
    public int docID() {
      return document;
    }

    @Override
    public int nextDoc() {
      return advance(document + 1);
    }

    @Override
    public int advance(int target) {
      document = target >= table.present.length() ? NO_MORE_DOCS : table.present.nextSetBit(target);
      return document;
    }

    @Override
    public long cost() {
      return table.count;
    }
  }
}
