package io.uniserve.bench.operators;

import io.uniserve.bench.base.BenchException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One block of bytes, sent over and over through a TCP connection from buffers outside the heap.
 */
final class BareSocket implements AutoCloseable {
  private final SocketChannel channel;
  private final ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES);
  private final ByteBuffer block;

  private BareSocket(SocketChannel channel, int blockBytes) {
    this.channel = channel;
    this.block = ByteBuffer.allocateDirect(blockBytes);
  }

  static BareSocket connect(int port, int blockBytes) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new BareSocket(SocketChannel.open(address), blockBytes);
  }

  /** Sends the block as often as the other side asks, until that side closes the connection. */
  static void serve(SocketChannel accepted, ByteBuffer block) {
    try (BareSocket socket = new BareSocket(accepted, block.remaining())) {
      socket.block.put(block.duplicate());
      while (socket.fill(socket.number)) {
        for (long left = socket.number.flip().getLong(); left > 0; left--) {
          socket.drain(socket.block.flip());
        }
      }
    } catch (IOException e) {
      throw new BenchException("A connection broke", e);
    }
  }

  /** Asks for the given number of blocks, waits for all of them and returns the number of bytes. */
  long receive(long blocks) throws IOException {
    drain(number.clear().putLong(blocks).flip());
    long bytes = 0;
    for (long i = 0; i < blocks; i++) {
      if (!fill(block)) {
        throw new EOFException("the connection was closed after " + bytes + " bytes");
      }
      bytes += block.position();
    }
    return bytes;
  }

  private boolean fill(ByteBuffer target) throws IOException {
    target.clear();
    while (target.hasRemaining()) {
      if (channel.read(target) < 0) {
        return false;
      }
    }
    return true;
  }

  private void drain(ByteBuffer source) throws IOException {
    while (source.hasRemaining()) {
      channel.write(source);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
