package io.uniserve.runtime.control.raft;

import static io.microraft.RaftRole.FOLLOWER;

import io.microraft.impl.RaftNodeImpl;
import java.util.concurrent.TimeUnit;

/**
 * The watch over a leader's silence. It makes sure that a follower whose leader falls silent acts
 * every time, and at most a tick later.
 *
 * <p>MicroRaft looks only as often as a leader sends heartbeats. It also acts only once in a term:
 * it asks the others whether they would vote (Raft's pre-vote, Ongaro's thesis §9.6). If the leader
 * is heard of again meanwhile, it takes that question to be open until the term ends, and asks no
 * other. Once each follower of a term has been through that, for example in a pause of a second,
 * the end of the leader would leave the group without one for ever.
 */
final class SilentLeader implements Runnable {
  private final RaftNodeImpl node;
  private final RaftThread thread;

  /**
   * @param thread the member's, on which alone this runs
   */
  SilentLeader(RaftNodeImpl node, RaftThread thread) {
    this.node = node;
    this.thread = thread;
  }

  /** Looks once, and again after a tick. */
  @Override
  public void run() {
    boolean silent =
        node.state().role() == FOLLOWER
            && node.state().leader() != null
            && node.isLeaderHeartbeatTimeoutElapsed();
    if (silent) {
      node.leader(null);
      node.runPreVote();
    }
    thread.schedule(this, 1, TimeUnit.SECONDS); // a second of the member's time is a tick
  }
}
