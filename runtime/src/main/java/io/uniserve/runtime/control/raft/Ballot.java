package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What a member must remember of elections.
 *
 * @param term the latest that it knows
 * @param votedFor whom it voted for in that term
 * @param voting whether it votes at all
 */
record Ballot(int term, Optional<Member> votedFor, boolean voting) {
  static final String FILE = "ballot";
  static final Ballot NONE = new Ballot(0, Optional.empty(), false);

  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Ballot.class));

  byte[] encode() {
    return TYPES.encode(this);
  }

  static Ballot decode(byte[] bytes) {
    return TYPES.decode(ByteBuffer.wrap(bytes), Ballot.class);
  }
}
