package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.codec.Samples.Guarded;
import io.uniserve.api.codec.Samples.Primitives;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Tests that any bytes are a value, or an error with the code CORRUPT. */
class HostileBytesTest {
  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20220404);
  private final TypeRegistry types = TypeRegistry.of(Samples.TYPES);

  /** Returns whether the bytes held a value. */
  private static boolean decodes(TypeRegistry types, byte[] bytes) {
    try {
      types.decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (UniserveException e) {
      assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.CORRUPT);
      return false;
    }
  }

  private static void assertCorrupt(TypeRegistry types, Encoder bytes, String message) {
    assertThatThrownBy(() -> types.decode(bytes.toByteBuffer()))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
  }

  @Test
  void damagedEncodings() {
    int values = 0;
    for (int i = 0; i < 60_000; i++) {
      byte[] bytes = types.encode(Samples.any(random));
      for (int damage = 1 + random.nextInt(3); damage > 0; damage--) {
        bytes = damaged(bytes);
      }
      values += decodes(types, bytes) ? 1 : 0;
    }
    assertThat(values).as("some damage is not noticed, most is").isBetween(100, 50_000);
  }

  private byte[] damaged(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    byte[] damaged = bytes.clone();
    switch (random.nextInt(5)) {
      case 0 -> damaged[at] = (byte) random.nextInt();
      case 1 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> damaged = Arrays.copyOf(bytes, at + 1);
      case 3 -> Arrays.fill(damaged, at, Math.min(bytes.length, at + 5), (byte) 0xff);
      default -> {
        damaged = Arrays.copyOf(bytes, bytes.length + 3);
        System.arraycopy(bytes, at, damaged, at + 3, bytes.length - at);
      }
    }
    return damaged;
  }

  @Test
  void noise() {
    for (int i = 0; i < 100_000; i++) {
      Object sample = Samples.any(random);
      Encoder out = new Encoder();
      out.writeString(sample instanceof Record ? sample.getClass().getSimpleName() : "");
      for (int length = random.nextInt(40); length > 0; length--) {
        out.writeByte(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(9));
      }
      decodes(types, out.toByteArray());
    }
  }

  @Test
  void everyCutIsNoticed() {
    byte[] bytes = types.encode(Samples.containers(random));
    for (int length = 0; length < bytes.length; length++) {
      assertThat(decodes(types, Arrays.copyOf(bytes, length))).isFalse();
    }
    assertThat(decodes(types, Arrays.copyOf(bytes, bytes.length + 1))).isFalse();
  }

  /** One component of every kind that begins with a length. */
  record Lengths(
      String text,
      byte[] bytes,
      ByteBuffer view,
      long[] longs,
      double[] doubles,
      float[] floats,
      List<Integer> list,
      SortedSet<Integer> set,
      Map<Integer, Integer> map,
      PartitionKey key,
      Object document) {}

  @Test
  void declaredLengthsCostNothing() throws Exception {
    for (var component : Lengths.class.getRecordComponents()) {
      for (long length : new long[] {3, 1000, Integer.MAX_VALUE, 1L << 32, -1, Long.MIN_VALUE}) {
        TypeResolver resolver = new TypeResolver(Map.of());
        Codec<?> codec = resolver.codecOf(component.getGenericType(), component.getName());
        byte[] bytes = Arrays.copyOf(varint(length), 12);
        assertThatThrownBy(
                () -> codec.read(new Decoder(Arrays.copyOf(bytes, varint(length).length))))
            .as(component + " of " + length)
            .isInstanceOfSatisfying(
                UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
      }
    }
  }

  private static byte[] varint(long value) {
    Encoder out = new Encoder();
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte((int) (rest | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
    return out.toByteArray();
  }

  @Test
  void aCountOfWideElementsIsCheckedBeforeMemoryIsTaken() {
    Encoder out = new Encoder();
    out.writeString("Primitives");
    out.writeBytes(new byte[0]);
    out.writeUnsigned(0);
    out.writeUnsigned(20);
    out.writeRaw(new byte[50], 0, 50);
    assertCorrupt(TypeRegistry.of(List.of(Primitives.class)), out, "a count of 20");
  }

  @Test
  void deepNestingIsRefused() {
    Encoder out = new Encoder();
    out.writeString("");
    for (int i = 0; i < 100_000; i++) {
      out.writeByte(6);
      out.writeUnsigned(1);
    }
    assertCorrupt(types, out, "nesting deeper");
    out.clear();
    out.writeString("Node");
    for (int i = 0; i < 100_000; i++) {
      out.writeString("");
      out.writeUnsigned(1);
    }
    assertCorrupt(types, out, "nesting deeper");
  }

  @Test
  void theConstructorsChecksHold() {
    Encoder out = new Encoder();
    out.writeString("Guarded");
    out.writeLong(-5);
    assertCorrupt(TypeRegistry.of(List.of(Guarded.class)), out, "not positive: -5");
  }

  record Keyed(PartitionKey key) {}

  record Mapped(Map<String, Integer> map) {}

  record Sorted(SortedSet<String> set) {}

  record Present(Optional<Object> document) {}

  record Flag(boolean flag) {}

  record Text(String text) {}

  record Number(long number) {}

  private static Encoder of(String type) {
    Encoder out = new Encoder();
    out.writeString(type);
    return out;
  }

  @Test
  void valuesThatNobodyWrites() {
    TypeRegistry odd =
        TypeRegistry.of(
            List.of(
                Keyed.class,
                Mapped.class,
                Sorted.class,
                Present.class,
                Flag.class,
                Text.class,
                Number.class));
    Encoder key = of("Keyed");
    key.writeBytes(new byte[PartitionKey.SIZE_BYTES_MAX + 1]);
    assertCorrupt(odd, key, "partition key");
    Encoder map = of("Mapped");
    map.writeUnsigned(2);
    for (int i = 0; i < 2; i++) {
      map.writeString("same");
      map.writeLong(i);
    }
    assertCorrupt(odd, map, "twice");
    Encoder set = of("Sorted");
    set.writeUnsigned(2);
    set.writeString("same");
    set.writeString("same");
    assertCorrupt(odd, set, "twice");
    Encoder present = of("Present");
    present.writeBoolean(true);
    present.writeByte(0);
    assertCorrupt(odd, present, "null");
    Encoder flag = of("Flag");
    flag.writeByte(2);
    assertCorrupt(odd, flag, "a boolean of 2");
    Encoder text = of("Text");
    text.writeBytes(new byte[] {'a', (byte) 0xC3, 'b'});
    assertCorrupt(odd, text, "UTF-8");
    Encoder number = of("Number");
    number.writeRaw(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2}, 0, 10);
    assertCorrupt(odd, number, "64 bits");
    Encoder unknown = of("java.lang.Runtime");
    assertCorrupt(odd, unknown, "java.lang.Runtime");
  }
}
