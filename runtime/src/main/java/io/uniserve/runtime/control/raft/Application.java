package io.uniserve.runtime.control.raft;

import java.util.List;

/**
 * The application of the log. All methods are called by the member's one thread, and must not wait.
 */
public interface Application {
  /** Takes a committed operation; each comes once, in the order of the log. */
  void committed(long index, byte[] operation);

  /**
   * Returns the state that the committed operations have led to, in pieces that are each sent in
   * one message.
   */
  List<byte[]> snapshot();

  /** Replaces its state by that of a snapshot. */
  void restore(List<byte[]> snapshot);

  /** Returns the first operation of this member as the leader of a new term. */
  byte[] newTerm(int term);

  /**
   * Notes that this member may have become the leader, have ceased to be, or have heard of another.
   */
  void leadershipChanged();

  /**
   * Notes that the member has stopped for good, since its disk or its state cannot be relied upon.
   */
  void failed(Throwable failure);
}
