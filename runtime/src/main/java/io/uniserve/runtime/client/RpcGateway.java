package io.uniserve.runtime.client;

import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * A native protocol over gRPC in front of the tables of one engine. Found by {@link
 * java.util.ServiceLoader} next to its engine; must have a public constructor without parameters.
 */
public interface RpcGateway {
  /** Returns the name of the protocol, for people. */
  String name();

  /**
   * Returns the services that answer the protocol's calls.
   *
   * @param client the client of the cluster that it serves; outlives the services. It refuses what
   *     the sender of a call may not do, so it must be called on the thread that the call came on,
   *     which may wait, or on one of {@code threads}
   * @param threads the threads for computations; each acts for the sender of the call that submits
   *     it
   */
  Services serve(UniserveClient client, ExecutorService threads);

  /**
   * The services of a protocol.
   *
   * @param all the services of gRPC that the protocol consists of
   * @param close frees their resources, once no call is under way any more
   */
  record Services(List<ServerServiceDefinition> all, Runnable close) {
    /** Copies the list. */
    public Services {
      all = List.copyOf(all);
    }
  }
}
