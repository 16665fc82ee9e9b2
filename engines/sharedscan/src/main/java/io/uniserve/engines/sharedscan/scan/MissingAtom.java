package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;

/** A test whether a value is missing. */
final class MissingAtom extends Atom {
  private final boolean not;

  MissingAtom(Test.Missing test) {
    super(test.column());
    this.not = test.not();
  }

  @Override
  void narrow(Chunk chunk, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      long missing = chunk.nullWord(column(), word);
      bits[word] &= not ? ~missing : missing;
    }
  }

  @Override
  boolean passes(Chunk chunk, int slot) {
    return chunk.isNull(column(), slot) != not;
  }
}
