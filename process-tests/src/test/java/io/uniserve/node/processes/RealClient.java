package io.uniserve.node.processes;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A client of a real cluster with connections of its own, like a client in a process of its own.
 */
final class RealClient implements AutoCloseable {
  private static final Engines ENGINES = new Engines(List.of(new ModelEngine()));
  private static final int PIECE_LENGTH = 1_000;

  private final SystemClock clock = new SystemClock();
  private final GrpcTransport network;
  private final Environment environment;
  private final ClusterClient client;

  /**
   * @param controllers the addresses of the controllers
   * @param directory a directory that the client gets and does not use
   * @param tap observes the messages on the network
   */
  RealClient(List<String> controllers, Path directory, UnaryOperator<Transport> tap)
      throws IOException {
    ProductionThreads threads = new ProductionThreads();
    network = new GrpcTransport(clock, threads, new WireCodec(ENGINES), GrpcSettings.DEFAULT);
    environment =
        new ProductionEnvironment(
            clock,
            threads,
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            tap.apply(network));
    List<Address> addresses = controllers.stream().map(Address::new).toList();
    client = new ClusterClient(environment, addresses, ENGINES, ClientSettings.DEFAULT);
  }

  ClusterClient client() {
    return client;
  }

  Environment environment() {
    return environment;
  }

  /** Returns the journal of one server's copy of an actor, whether or not queries read the copy. */
  List<Operation> journal(String server, long table, int actor, Duration timeout) {
    Deadline deadline = Deadline.after(clock, timeout);
    Journal journal = new Journal(new Promise<>(environment.threads()));
    Payload operator = Payload.of(ModelEngine.NAME, new ReadJournal(PIECE_LENGTH));
    Retrieve request = new Retrieve(table, List.of(actor), operator, false, Optional.empty());
    network.call(new Address(server), request, deadline, journal);
    return journal.whole.await(deadline, "actor " + actor + " of " + server);
  }

  /** A collector of the pieces of one journal. */
  private static final class Journal implements Transport.ReplyObserver {
    private final Promise<List<Operation>> whole;
    private final List<Operation> operations = new ArrayList<>();

    Journal(Promise<List<Operation>> whole) {
      this.whole = whole;
    }

    @Override
    public void replied(Message reply) {
      switch (reply) {
        case Retrieved some ->
            some.values()
                .forEach(
                    value ->
                        operations.addAll(((ReadJournal.Piece) value.value(ENGINES)).operations()));
        case Unretrieved none -> failed(new UniserveException(none.code(), none.message()));
        default -> throw new IllegalStateException("a journal brought " + reply);
      }
    }

    @Override
    public void completed() {
      whole.complete(List.copyOf(operations));
    }

    @Override
    public void failed(UniserveException failure) {
      whole.fail(failure);
    }
  }

  /**
   * Closes the client as the end of its process would: everything in progress fails, and nobody is
   * told any more.
   */
  @Override
  public void close() {
    network.close();
    client.close();
    clock.close();
  }
}
