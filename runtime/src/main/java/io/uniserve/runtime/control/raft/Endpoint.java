package io.uniserve.runtime.control.raft;

import io.microraft.RaftEndpoint;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.util.Collection;
import java.util.List;

/** A member in MicroRaft's form. */
record Endpoint(Member member) implements RaftEndpoint {
  @Override
  public Object getId() {
    return member.id();
  }

  static RaftEndpoint of(Member member) {
    return new Endpoint(member);
  }

  static List<RaftEndpoint> all(Collection<Member> members) {
    return members.stream().map(Endpoint::of).toList();
  }

  static Member member(RaftEndpoint endpoint) {
    return ((Endpoint) endpoint).member();
  }

  static List<Member> members(Collection<RaftEndpoint> endpoints) {
    return endpoints.stream().map(Endpoint::member).toList();
  }
}
