package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
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

  byte[] encode() {
    return FORM.encode(this);
  }

  static Ballot decode(byte[] bytes) {
    return FORM.decode(ByteBuffer.wrap(bytes), Ballot.class);
  }
}
