package io.uniserve.runtime.control.raft;

import java.util.List;

/** What the log is for. All methods are called by the member's one thread, and must not wait. */
public interface Application {
  /** An operation is committed; each is told once, in the order of the log. */
  void committed(long index, byte[] operation);

  /** All that the committed operations have led to, in pieces that are each sent in one message. */
  List<byte[]> snapshot();

  /** Takes the state that a snapshot was made of, in place of its own. */
  void restore(List<byte[]> snapshot);

  /** The first operation of this member as the leader of a new term. */
  byte[] newTerm(int term);

  /** This member may have become the leader, have ceased to be, or have heard of another. */
  void leadershipChanged();

  /** The member has stopped for good: its disk or its state is not to be relied upon. */
  void failed(Throwable failure);
}
