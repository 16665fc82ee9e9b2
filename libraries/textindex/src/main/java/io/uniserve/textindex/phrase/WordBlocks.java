package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;

/** The documents of a segment that hold a word, a block of them at a time, from the first. */
final class WordBlocks {
  private final PostingsEnum documents;
  private final WordPositions positions;
  private final DocAndFloatFeatureBuffer block = new DocAndFloatFeatureBuffer();

  /** Of each document of the block, its first number in the positions; then the next block's. */
  private int[] starts = {0};

  private int taken;

  /**
   * @param documents with frequencies, before the first
   */
  WordBlocks(PostingsEnum documents, WordPositions positions) throws IOException {
    this.documents = documents;
    this.positions = positions;
    documents.nextDoc();
  }

  /**
   * Reads on once the whole block is taken.
   *
   * @param to no document from here on
   * @return whether there are documents to take
   */
  boolean read(int to) throws IOException {
    if (taken < block.size) {
      return true;
    }
    int start = starts[block.size];
    documents.nextPostings(to, block);
    taken = 0;
    if (starts.length <= block.size) {
      starts = new int[Math.max(block.size, WordPositions.BLOCK) + 1];
    }
    for (int i = 0; i < block.size; i++) {
      starts[i] = start;
      start += (int) block.features[i];
    }
    starts[block.size] = start;
    return block.size > 0;
  }

  /** The documents of the block, of which {@link #size} count. */
  int[] documents() {
    return block.docs;
  }

  int size() {
    return block.size;
  }

  /** How many documents of the block are taken. */
  int taken() {
    return taken;
  }

  void take(int documents) {
    taken = documents;
  }

  WordPositions positions() {
    return positions;
  }

  /** A document's first number in the positions. */
  int start(int place) {
    return starts[place];
  }

  /** How often a document holds the word. */
  int frequency(int place) {
    return starts[place + 1] - starts[place];
  }

  /** The first document that has not been read, or {@link DocIdSetIterator#NO_MORE_DOCS}. */
  int unread() {
    return documents.docID();
  }
}
