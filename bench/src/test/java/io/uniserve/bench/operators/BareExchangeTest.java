package io.uniserve.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BareExchangeTest {
  private static final int BLOCK_BYTES = 300_000;

  @Test
  void allBlocksComeThroughAStream() throws IOException {
    Server server = BareStream.serve(new byte[BLOCK_BYTES]);
    ManagedChannel channel = BareStream.connect(server.getPort());
    try {
      assertThat(BareStream.receive(channel, 70)).isEqualTo(70L * BLOCK_BYTES);
      assertThat(BareStream.receive(channel, 1)).isEqualTo(BLOCK_BYTES);
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }

  @Test
  void allBlocksComeThroughASocket() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      BareSocket socket = BareSocket.connect(listener.socket().getLocalPort(), BLOCK_BYTES);
      SocketChannel accepted = listener.accept();
      CompletableFuture<Void> serving =
          CompletableFuture.runAsync(
              () -> BareSocket.serve(accepted, ByteBuffer.allocate(BLOCK_BYTES)));

      assertThat(socket.receive(7)).isEqualTo(7L * BLOCK_BYTES);
      assertThat(socket.receive(1)).isEqualTo(BLOCK_BYTES);

      socket.close();
      serving.join();
    }
  }
}
