package io.uniserve.runtime.client.scan;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.ScanMessage.FormerKeys;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The state of a scan as text that a client keeps: what is still to be read, and from where.
 *
 * @param table the table's identity
 * @param request a hash of the request, which must be the same
 * @param version the version that is read, if it is of one
 * @param parts the parts that were not given wholly
 */
@Name("ScanCursor")
record ScanCursor(long table, long request, Optional<Long> version, List<Part> parts) {
  static final Form FORM = Forms.of("the cursor of a scan", ScanCursor.class);

  /**
   * A part that is to be read.
   *
   * @param actor the actor's number
   * @param changes the number of splits and merges that it has followed
   * @param only the keys within the actor
   * @param place the place where it goes on
   * @param read the records that were looked at
   * @param total an estimate of all its records
   */
  record Part(
      int actor,
      int changes,
      List<FormerKeys> only,
      Optional<ByteBuffer> place,
      long read,
      long total) {}

  String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(FORM.encode(this));
  }

  static ScanCursor of(String text) {
    try {
      return FORM.decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)), ScanCursor.class);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.UNSUPPORTED
          ? UniserveException.invalid(e.getMessage())
          : unknown();
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static UniserveException unknown() {
    return UniserveException.invalid("this is not the cursor of a scan");
  }
}
