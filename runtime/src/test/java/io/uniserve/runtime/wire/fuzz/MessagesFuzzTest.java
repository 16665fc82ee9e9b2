package io.uniserve.runtime.wire.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.PlanMessage;
import io.uniserve.runtime.wire.QueryMessage;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ServerMessage;
import io.uniserve.runtime.wire.UpdateMessage;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.testkit.fuzz.FuzzRun;
import io.uniserve.testkit.fuzz.Mutator;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Bytes that are nearly a message become one, or an error that says so, at a cost of their size.
 */
class MessagesFuzzTest {
  private static final Class<?>[] MESSAGES = {
    ControlMessage.class,
    QueryMessage.class,
    PlanMessage.class,
    UpdateMessage.class,
    ReplicationMessage.class,
    ServerMessage.class,
    LoadMessage.class
  };

  /**
   * The limit of memory for each byte. A list of booleans takes a reference for each byte, a map of
   * nothing to nothing more.
   */
  private static final long ALLOCATED_BYTES_PER_BYTE_MAX = 300;

  private static final long ALLOCATED_BYTES_MAX = 200_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final WireCodec codec = new WireCodec(new Engines(List.of()));

  private byte[] sample(Random random) {
    while (true) {
      try {
        Class<?> kind = MESSAGES[random.nextInt(MESSAGES.length)];
        ByteBuffer encoded = codec.encode((Message) new RandomRecords(random).of(kind));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
      } catch (UniserveException e) {
        // the message could not be made; another one is tried
      }
    }
  }

  @Test
  void whatIsDecodedCanBeSentOnAndTheRestIsRefused() {
    List<byte[]> samples = new ArrayList<>();
    Random fixed = new Random(1);
    for (int i = 0; i < 200; i++) {
      samples.add(sample(fixed));
    }
    long cases =
        new FuzzRun("messages", Duration.ofSeconds(5))
            .run(
                random -> {
                  byte[] real =
                      random.nextInt(4) == 0 ? sample(random) : samples.get(random.nextInt(200));
                  decode(Mutator.mutate(real, samples, random));
                });
    assertThat(cases).isPositive();
  }

  /**
   * Decodes bytes within the limit. Nothing is asserted in between, since the first assertion
   * itself loads classes.
   */
  private void decode(byte[] bytes) {
    long max = ALLOCATED_BYTES_MAX + ALLOCATED_BYTES_PER_BYTE_MAX * bytes.length;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Optional<String> refusal = refusal(bytes);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (allocated >= max) {
      // The first message of its kind links code, so the same bytes are decoded again.
      before = THREADS.getCurrentThreadAllocatedBytes();
      refusal = refusal(bytes);
      allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(allocated).as("bytes allocated for %s bytes", bytes.length).isLessThan(max);
    refusal.ifPresent(message -> assertThat(message).isNotBlank());
  }

  private Optional<String> refusal(byte[] bytes) {
    try {
      Message message = codec.decode(ByteBuffer.wrap(bytes));
      ByteBuffer again = codec.encode(message);
      return codec.encode(codec.decode(again.duplicate())).equals(again)
          ? Optional.empty()
          : Optional.of("");
    } catch (UniserveException e) {
      return Optional.of(e.getMessage());
    }
  }
}
