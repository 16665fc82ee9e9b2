package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.store.SealedFile;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The votes of a member, which it must remember.
 *
 * @param term the latest that it knows
 * @param votedFor the member that it voted for in that term
 * @param voting true if it votes
 */
@Name("Ballot")
record Ballot(int term, Optional<Member> votedFor, boolean voting) {
  static final String FILE = "ballot";
  static final Ballot NONE = new Ballot(0, Optional.empty(), false);

  static final Form FORM = Forms.of("a controller's ballot", Ballot.class);

  /** Returns the contents of its file. */
  byte[] encode() {
    return SealedFile.seal(FORM.encode(this));
  }

  /**
   * Reads the contents of a file.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if they are damaged: a member that
   *     does not know its vote may vote twice
   */
  static Ballot decode(Path file, byte[] contents) {
    byte[] votes =
        SealedFile.openSealedSince2(contents)
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.CORRUPT, file + ": the votes of this controller are damaged"));
    return FORM.decode(ByteBuffer.wrap(votes), Ballot.class);
  }
}
