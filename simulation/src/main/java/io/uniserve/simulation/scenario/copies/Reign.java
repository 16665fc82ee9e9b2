package io.uniserve.simulation.scenario.copies;

import io.uniserve.kernel.Invariant;
import java.util.Optional;

/**
 * The time since which one site is not refused and all servers of the other are. It begins anew
 * when the sites change places: one whose servers have only just begun may not have heard yet that
 * the other took the store over while they were away.
 */
final class Reign {
  private final CopiesRun run;
  private Optional<Site> winner = Optional.empty();
  private int before;
  private int lost;

  Reign(CopiesRun run) {
    this.run = run;
  }

  /**
   * Looks who is refused now.
   *
   * @return the number of updates of all actors that the other had acknowledged since then
   */
  int look() {
    Optional<Site> now = run.winner();
    if (now.isPresent() && !now.equals(winner)) {
      winner = now;
      before = run.acknowledgedEverywhere(now.get());
      lost = run.acknowledgedEverywhere(now.get().other());
    }
    return winner.map(site -> run.acknowledgedEverywhere(site) - before).orElse(0);
  }

  /** Returns the site that is not refused. */
  Site winner() {
    return winner.orElseThrow();
  }

  /** Requires that the site that is refused acknowledged nothing since then. */
  void requireAlone() {
    Site loser = winner().other();
    Invariant.ONE_PRIMARY.require(
        run.acknowledgedEverywhere(loser) == lost,
        () -> loser + " is refused, and acknowledged more");
  }
}
