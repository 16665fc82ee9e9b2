package io.uniserve.simulation.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.WaitingScan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One scheduler that knows all scans and slots at once, without any delay (PNUTS §4.1, Algorithm
 * 2). Of several free servers a scan gets that with the piece which is next in its order.
 */
final class CentralGranting implements Granting {
  private final Agenda agenda;
  private final GrantPolicy policy;
  private final List<RunningScan> scans;
  private final BiConsumer<RunningScan, Piece> grant;
  private final int[] free;
  private final BitSet freeServers = new BitSet();
  private long decisions;
  private boolean planned;

  CentralGranting(
      Agenda agenda,
      ScanCluster cluster,
      GrantPolicy policy,
      List<RunningScan> scans,
      BiConsumer<RunningScan, Piece> grant) {
    this.agenda = agenda;
    this.policy = policy;
    this.scans = scans;
    this.grant = grant;
    free = cluster.slotsByServer();
    freeServers.set(0, free.length);
  }

  @Override
  public void changed(RunningScan scan) {
    plan();
  }

  @Override
  public void released(RunningScan scan, int server) {
    free[server]++;
    freeServers.set(server);
    plan();
  }

  /** Has slots granted once all that happens at this moment has happened. */
  private void plan() {
    if (!planned) {
      planned = true;
      agenda.at(agenda.now(), this::schedule);
    }
  }

  private void schedule() {
    planned = false;
    while (!freeServers.isEmpty()) {
      List<WaitingScan> waiting = new ArrayList<>();
      for (RunningScan scan : scans) {
        if (scan.wants() && scan.next(freeServers).isPresent()) {
          waiting.add(scan.asWaiting(agenda.now()));
        }
      }
      Optional<WaitingScan> next = policy.next(waiting, decisions++);
      if (next.isEmpty()) {
        return;
      }
      RunningScan scan = find(next.get().scan());
      Piece piece = scan.next(freeServers).orElseThrow();
      free[piece.server]--;
      freeServers.set(piece.server, free[piece.server] > 0);
      scan.take(piece, agenda.now());
      grant.accept(scan, piece);
    }
  }

  private RunningScan find(long number) {
    return scans.stream().filter(scan -> scan.number == number).findFirst().orElseThrow();
  }
}
