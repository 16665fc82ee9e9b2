package io.uniserve.sql.arrow;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.InvalidArrowFileException;

/** The format of Arrow's own files, and of its streams in files, both without compression. */
public final class ArrowFormat implements RowFormat {
  private static final String FILE_BEGINS = "ARROW1";

  @Override
  public Set<String> endings() {
    return Set.of("arrow", "arrows", "feather", "ipc");
  }

  @Override
  public Rows open(Path file) throws IOException {
    Closing closing = new Closing();
    try {
      SeekableByteChannel channel = closing.with(Files.newByteChannel(file));
      BufferAllocator memory = closing.with(Blocks.newMemoryForFiles());
      ArrowReader reader = reader(channel, memory);
      reader.getVectorSchemaRoot(); // a file of another format shows itself
      double size = Math.max(1, channel.size());
      return new ArrowRows(file, reader, given -> channelDone(channel, size), closing);
    } catch (InvalidArrowFileException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | IOException e) {
      closing.close();
      throw new UniserveException(
          ErrorCode.CORRUPT, file + " cannot be read: " + UniserveException.reason(e), e);
    }
  }

  private static ArrowReader reader(SeekableByteChannel channel, BufferAllocator memory)
      throws IOException {
    ByteBuffer begins = ByteBuffer.allocate(FILE_BEGINS.length());
    while (begins.hasRemaining() && channel.read(begins) >= 0) {
      // a channel may give less than it is asked for
    }
    channel.position(0);
    String text = new String(begins.array(), StandardCharsets.US_ASCII);
    return text.equals(FILE_BEGINS)
        ? new ArrowFileReader(channel, memory)
        : ArrowStreams.reader(channel, memory);
  }

  private static double channelDone(SeekableByteChannel channel, double size) {
    try {
      return Math.min(1, channel.position() / size);
    } catch (IOException e) {
      return 1; // it was closed at the end
    }
  }
}
