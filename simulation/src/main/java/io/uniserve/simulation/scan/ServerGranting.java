package io.uniserve.simulation.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.WaitingScan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Servers that each grant their own slots. A scan has one request at every server that has some of
 * its pieces; age and idle time travel with it, and grow there. A server offers a free slot to the
 * most urgent request. The scan takes it if it holds fewer than it desires, and declines it
 * otherwise; it asks again there once it holds fewer. A request for the next slot stands while one
 * is held, so that nobody less urgent comes between two pages.
 *
 * <p>A request is out of date if the scan has become idle, or is not idle any more, since it was
 * sent. It is sent again if that has lasted for a second. The scan declines an offer that it owes
 * to a longer idle time than it has, and asks again; otherwise a scan that was idle would get a
 * slot of every server at once, where the policy means it to get one.
 */
final class ServerGranting implements Granting {
  private static final double REFRESH_SECONDS = 1;

  private final Agenda agenda;
  private final GrantPolicy policy;
  private final double messageSeconds;
  private final BiConsumer<RunningScan, Piece> grant;
  private final List<Server> servers = new ArrayList<>();
  private final Map<RunningScan, Requests> requests = new HashMap<>();
  private long decisions;

  ServerGranting(
      Agenda agenda,
      ScanCluster cluster,
      GrantPolicy policy,
      double messageSeconds,
      BiConsumer<RunningScan, Piece> grant) {
    this.agenda = agenda;
    this.policy = policy;
    this.messageSeconds = messageSeconds;
    this.grant = grant;
    for (int server = 0; server < cluster.servers(); server++) {
      servers.add(new Server(cluster.slots()));
    }
  }

  /** The requests of a scan, and its last word on its idleness. */
  private static final class Requests {
    final BitSet standing = new BitSet();
    boolean saidIdle;
    boolean checking;
    boolean asking;
  }

  private record Request(RunningScan scan, double arrived, WaitingScan said) {}

  private final class Server {
    int free;
    final List<Request> requests = new ArrayList<>();

    Server(int free) {
      this.free = free;
    }

    void offer(int self) {
      while (free > 0 && !requests.isEmpty()) {
        List<WaitingScan> waiting = new ArrayList<>(requests.size());
        for (Request request : requests) {
          waiting.add(request.said().after(agenda.now() - request.arrived()));
        }
        long chosen = policy.next(waiting, decisions++).orElseThrow().scan();
        Request request =
            requests.stream().filter(one -> one.scan().number == chosen).findFirst().orElseThrow();
        requests.remove(request);
        free--;
        double idle = request.said().after(agenda.now() - request.arrived()).idleSeconds();
        later(() -> offered(request.scan(), self, idle));
      }
    }
  }

  private void later(Runnable action) {
    agenda.at(agenda.now() + messageSeconds, action);
  }

  @Override
  public void changed(RunningScan scan) {
    Requests known = of(scan);
    if (!known.asking) {
      known.asking = true;
      later(
          () -> {
            known.asking = false;
            ask(scan);
          });
    }
  }

  @Override
  public void released(RunningScan scan, int server) {
    servers.get(server).free++;
    servers.get(server).offer(server);
  }

  private Requests of(RunningScan scan) {
    return requests.computeIfAbsent(scan, any -> new Requests());
  }

  /** Asks every server that could read for the scan and has no request of it. */
  private void ask(RunningScan scan) {
    watchIdleness(scan);
    if (!scan.wants()) {
      return;
    }
    List<Piece> pieces = new ArrayList<>();
    for (int server : scan.servers().stream().toArray()) {
      if (!of(scan).standing.get(server)) {
        scan.next(server).ifPresent(pieces::add);
      }
    }
    pieces.sort(scan.order());
    pieces.forEach(piece -> request(scan, piece.server));
  }

  private void request(RunningScan scan, int server) {
    of(scan).standing.set(server);
    WaitingScan said = scan.asWaiting(agenda.now());
    of(scan).saidIdle = said.idleSeconds() > 0;
    later(
        () -> {
          servers.get(server).requests.add(new Request(scan, agenda.now(), said));
          servers.get(server).offer(server);
        });
  }

  private void offered(RunningScan scan, int server, double saidIdleSeconds) {
    of(scan).standing.clear(server);
    Optional<Piece> piece = scan.wants() ? scan.next(server) : Optional.empty();
    boolean outdated = saidIdleSeconds > scan.idleSeconds(agenda.now());
    if (piece.isEmpty() || outdated || isBetterLater(scan, piece.get())) {
      later(
          () -> {
            servers.get(server).free++;
            servers.get(server).offer(server);
          });
      if (piece.isPresent()) {
        ask(scan);
      }
      return;
    }
    scan.take(piece.get(), agenda.now());
    later(() -> grant.accept(scan, piece.get()));
    if (scan.next(server).isPresent() || piece.get().leftSeconds > scan.pageSeconds()) {
      request(scan, server);
    }
    watchIdleness(scan);
  }

  /** Returns whether the last pieces are uneven, and a longer one has no request. */
  private boolean isBetterLater(RunningScan scan, Piece piece) {
    if (!scan.isLast()) {
      return false;
    }
    for (int server : scan.servers().stream().toArray()) {
      Optional<Piece> other = scan.next(server);
      if (!of(scan).standing.get(server)
          && other.isPresent()
          && other.get().leftSeconds > piece.leftSeconds + 2 * scan.pageSeconds()) {
        return true;
      }
    }
    return false;
  }

  private void watchIdleness(RunningScan scan) {
    Requests known = of(scan);
    boolean idle = scan.idleSeconds(agenda.now()) > 0;
    if (idle != known.saidIdle && !known.checking && !scan.isComplete()) {
      known.checking = true;
      agenda.at(agenda.now() + REFRESH_SECONDS, () -> refresh(scan));
    }
  }

  private void refresh(RunningScan scan) {
    Requests known = of(scan);
    known.checking = false;
    WaitingScan said = scan.asWaiting(agenda.now());
    if (scan.isComplete() || said.idleSeconds() > 0 == known.saidIdle) {
      return;
    }
    known.saidIdle = !known.saidIdle;
    for (int server : scan.servers().stream().toArray()) {
      if (known.standing.get(server)) {
        later(() -> replace(scan, server, said));
      }
    }
  }

  private void replace(RunningScan scan, int server, WaitingScan said) {
    List<Request> there = servers.get(server).requests;
    if (there.removeIf(request -> request.scan() == scan)) {
      there.add(new Request(scan, agenda.now(), said));
    }
  }
}
