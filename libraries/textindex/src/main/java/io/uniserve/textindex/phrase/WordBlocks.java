package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;

/** The documents of a segment that have a word, a block at a time, from the first. */
final class WordBlocks {
  private final PostingsEnum documents;
  private final WordPositions positions;
  private final DocAndFloatFeatureBuffer block = new DocAndFloatFeatureBuffer();

  /**
   * The index of each document's first number in the positions; after the last, that of the next
   * block.
   */
  private int[] starts = {0};

  private int taken;

  /**
   * Makes the blocks.
   *
   * @param documents the documents with frequencies, positioned before the first
   */
  WordBlocks(PostingsEnum documents, WordPositions positions) throws IOException {
    this.documents = documents;
    this.positions = positions;
    documents.nextDoc();
  }

  /**
   * Reads the next block once the present one is taken.
   *
   * @param to the end of the wanted documents, exclusive
   * @return true if there are documents to take
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

  /** Returns the documents of the block, the first {@link #size} of which are valid. */
  int[] documents() {
    return block.docs;
  }

  int size() {
    return block.size;
  }

  /** Returns the number of documents of the block that are taken. */
  int taken() {
    return taken;
  }

  void take(int documents) {
    taken = documents;
  }

  WordPositions positions() {
    return positions;
  }

  /** Returns the index of a document's first number in the positions. */
  int start(int place) {
    return starts[place];
  }

  /** Returns the number of occurrences of the word in a document. */
  int frequency(int place) {
    return starts[place + 1] - starts[place];
  }

  /**
   * Returns the first document that has not been read, or {@link DocIdSetIterator#NO_MORE_DOCS}.
   */
  int unread() {
    return documents.docID();
  }
}
