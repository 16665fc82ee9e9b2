package io.uniserve.bench.operators;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.uniserve.bench.base.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The program of a process that sends blocks to another and receives its blocks, without the
 * runtime. It prints {@value #READY} and its two ports, that of gRPC and that of plain sockets, and
 * reads the two ports of the other process. Each further line of input names a {@link Way} and a
 * number of blocks: the process receives them from the other and prints the number of bytes. It
 * ends when its input ends.
 */
public final class BareExchangeProcess {
  static final String READY = "READY ";

  /** The transport over which blocks are sent. */
  enum Way {
    GRPC,
    SOCKET
  }

  private BareExchangeProcess() {}

  public static void main(String[] arguments) throws IOException {
    ByteBuffer block = new BlockActor().rows();
    byte[] bytes = new byte[block.remaining()];
    block.duplicate().get(bytes);
    Server server = BareStream.serve(bytes);
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread.ofPlatform().daemon().name("sockets").start(() -> accept(listener, block));
      System.out.println(READY + server.getPort() + " " + listener.socket().getLocalPort());
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String[] ports = lines.readLine().split(" ");
      obey(lines, Integer.parseInt(ports[0]), Integer.parseInt(ports[1]), bytes.length);
    } finally {
      server.shutdownNow();
    }
  }

  private static void accept(ServerSocketChannel listener, ByteBuffer block) {
    try {
      SocketChannel accepted = listener.accept();
      BareSocket.serve(accepted, block);
    } catch (IOException e) {
      throw new BenchException("Nobody has connected", e);
    }
  }

  private static void obey(BufferedReader lines, int grpcPort, int socketPort, int blockBytes)
      throws IOException {
    ManagedChannel channel = BareStream.connect(grpcPort);
    try (BareSocket socket = BareSocket.connect(socketPort, blockBytes)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        long blocks = Long.parseLong(words[1]);
        System.out.println(
            switch (Way.valueOf(words[0])) {
              case GRPC -> BareStream.receive(channel, blocks);
              case SOCKET -> socket.receive(blocks);
            });
      }
    } finally {
      channel.shutdownNow();
    }
  }
}
