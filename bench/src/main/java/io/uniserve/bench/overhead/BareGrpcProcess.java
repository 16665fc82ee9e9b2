package io.uniserve.bench.overhead;

import io.grpc.Server;
import java.io.IOException;

/**
 * The program of the process that serves {@link BareGrpc}. It prints {@code READY} and its port,
 * and ends when its input ends.
 */
public final class BareGrpcProcess {

  private BareGrpcProcess() {}

  public static void main(String[] arguments) throws IOException {
    Server server = BareGrpc.serve();
    System.out.println("READY " + server.getPort());
    int next = System.in.read();
    while (next >= 0) {
      next = System.in.read();
    }
    server.shutdownNow();
  }
}
