package io.uniserve.testkit.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/** A source of nearly valid inputs, which reach further into a program than random ones. */
public final class Mutator {
  private static final int CHANGES_MAX = 6;
  private static final int[] BYTES = {0, 1, 0x7f, 0x80, 0xff, '"', '{', '[', '\\', '\n', '%', ' '};

  private Mutator() {}

  /** Changes an input in a few places; pieces of the others may be spliced into it. */
  public static byte[] mutate(byte[] input, List<byte[]> others, Random random) {
    byte[] changed = input;
    int changes = random.nextInt(CHANGES_MAX) + 1;
    for (int i = 0; i < changes; i++) {
      changed = change(changed, others, random);
    }
    return changed;
  }

  private static byte[] change(byte[] input, List<byte[]> others, Random random) {
    int at = random.nextInt(input.length + 1);
    int to = at + random.nextInt(Math.min(input.length - at, 64) + 1);
    byte[] some = others.get(random.nextInt(others.size()));
    int start = random.nextInt(some.length + 1);
    return switch (random.nextInt(9)) {
      case 0, 1 -> flip(input, random);
      case 2, 3 -> join(part(input, 0, at), interesting(random), part(input, to, input.length));
      case 4 -> join(part(input, 0, at), part(input, to, input.length));
      case 5 -> join(part(input, 0, to), part(input, at, input.length));
      case 6 -> part(input, 0, at);
      case 7 -> join(part(input, 0, at), part(some, start, some.length));
      default -> join(part(input, 0, at), number(random), part(input, at, input.length));
    };
  }

  private static byte[] flip(byte[] input, Random random) {
    byte[] changed = input.clone();
    if (changed.length > 0) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }

  private static byte[] interesting(Random random) {
    byte[] bytes = new byte[random.nextInt(4) + 1];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) BYTES[random.nextInt(BYTES.length)];
    }
    return bytes;
  }

  /** Returns a number in one of several encodings, often a length that is far too large. */
  private static byte[] number(Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long value = random.nextLong() >>> random.nextInt(64);
    while (value > 0x7f && out.size() < 10) {
      out.write((int) (value & 0x7f) | 0x80);
      value >>>= 7;
    }
    out.write((int) value & 0x7f);
    return out.toByteArray();
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return java.util.Arrays.copyOfRange(bytes, from, to);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
