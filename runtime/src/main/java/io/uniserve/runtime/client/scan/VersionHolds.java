package io.uniserve.runtime.client.scan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.ScanMessage.Held;
import io.uniserve.runtime.wire.ScanMessage.HoldVersion;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The calls that keep a version of a table on every server with copies, for one scan. Their end is
 * the end of what is kept.
 */
final class VersionHolds implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ClientContext client;
  private final List<Call> calls = new ArrayList<>();

  VersionHolds(ClientContext client) {
    this.client = client;
  }

  /**
   * Keeps a version on all readable copies of the parts. Waits until every server has answered, or
   * for a while.
   *
   * @param lost hears of servers that have ended what they kept
   */
  void hold(long scan, TableState table, long version, ScanParts parts, Consumer<String> lost) {
    SortedMap<String, List<ScanPart>> byServer = new TreeMap<>();
    for (ScanPart part : parts) {
      for (CopyState copy : table.actors().get(part.actor).copies()) {
        if (copy.status() == CopyState.Status.READY && client.state().alive(copy.server())) {
          byServer.computeIfAbsent(copy.server(), name -> new ArrayList<>()).add(part);
        }
      }
    }
    List<Holding> all = new ArrayList<>();
    byServer.forEach(
        (server, some) -> {
          Holding holding = new Holding(server, some, lost);
          all.add(holding);
          HoldVersion request =
              new HoldVersion(
                  scan,
                  table.id(),
                  version,
                  some.stream().map(part -> part.actor).toList(),
                  some.stream()
                      .map(part -> table.definition().partitioner().generation(part.actor))
                      .toList());
          calls.add(
              client
                  .calls()
                  .begin(
                      client.state().servers().get(server),
                      request,
                      Deadline.after(client.environment().clock(), Deadline.LONGEST),
                      holding));
        });
    Deadline deadline = Deadline.after(client.environment().clock(), PATIENCE);
    for (Holding holding : all) {
      holding.await(deadline);
    }
  }

  private final class Holding implements ReplyObserver {
    private final String server;
    private final List<ScanPart> parts;
    private final Consumer<String> lost;
    private final Signal answered = client.environment().threads().signal();
    private volatile List<Integer> held = List.of();

    Holding(String server, List<ScanPart> parts, Consumer<String> lost) {
      this.server = server;
      this.parts = parts;
      this.lost = lost;
    }

    void await(Deadline deadline) {
      try {
        answered.await(deadline);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      for (ScanPart part : parts) {
        if (held.contains(part.actor)) {
          part.holders.add(server);
        }
      }
    }

    @Override
    public void replied(Message reply) {
      if (reply instanceof Held answer) {
        held = answer.actors();
      }
      answered.set();
    }

    @Override
    public void completed() {
      end();
    }

    @Override
    public void failed(UniserveException failure) {
      end();
    }

    private void end() {
      held = List.of();
      answered.set();
      lost.accept(server);
    }
  }

  @Override
  public void close() {
    calls.forEach(Call::cancel);
    calls.clear();
  }
}
