package io.uniserve.runtime.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.security.MessageDigest;

/**
 * A stream of the bytes of a {@link Content}. It gives the last ones only if all together have the
 * expected checksum, so that a writer of wrong bytes cannot finish.
 */
public final class CheckedInput extends FilterInputStream {
  private final Content content;
  private final String what;
  private final MessageDigest digest = Sha256.begin();
  private long left;

  public CheckedInput(Content content, String what) throws IOException {
    super(content.open());
    this.content = content;
    this.what = what;
    left = content.sizeBytes();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(target, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw changed();
    }
    digest.update(target, offset, read);
    left -= read;
    if (left == 0 && (in.read() >= 0 || !Sha256.hex(digest.digest()).equals(content.sha256()))) {
      throw changed();
    }
    return read;
  }

  @Override
  public long skip(long count) {
    return 0;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private RuntimeException changed() {
    return StoreFailures.corrupt(what, "the content changed while it was stored");
  }
}
