package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.codec.Samples.Circle;
import io.uniserve.api.codec.Samples.Color;
import io.uniserve.api.codec.Samples.Containers;
import io.uniserve.api.codec.Samples.Document;
import io.uniserve.api.codec.Samples.Empty;
import io.uniserve.api.codec.Samples.Generic;
import io.uniserve.api.codec.Samples.Guarded;
import io.uniserve.api.codec.Samples.Node;
import io.uniserve.api.codec.Samples.Primitives;
import io.uniserve.api.codec.Samples.Scalars;
import io.uniserve.api.codec.Samples.Sign;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TypeRegistryTest {
  private final TypeRegistry types = TypeRegistry.of(Samples.TYPES);

  private Object roundTrip(Object value) {
    return types.decode(ByteBuffer.wrap(types.encode(value)));
  }

  private void assertSame(Object value) {
    assertThat(roundTrip(value)).isEqualTo(value);
  }

  private static void assertFails(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
  }

  @Test
  void everyRandomValueComesBackEqual() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(42);
    for (int i = 0; i < 20_000; i++) {
      assertSame(Samples.any(random));
    }
  }

  @Test
  void scalarsAtTheirLimits() {
    for (long large : new long[] {0, -1, 1, 63, -64, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertSame(
          new Scalars(
              true,
              (byte) -128,
              large < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE,
              large,
              -0.0f,
              Double.NaN,
              false,
              -1,
              "",
              Duration.ofNanos(Long.MIN_VALUE),
              PartitionKey.of(new byte[0]),
              Color.BLUE));
    }
  }

  @Test
  void arraysAndViews() {
    ByteBuffer part = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}).position(1).limit(4);
    Primitives value =
        new Primitives(
            new byte[] {-1, 0, 1},
            new long[] {Long.MIN_VALUE, 0, 5},
            new double[] {1.5, Double.NEGATIVE_INFINITY},
            new float[] {Float.MIN_VALUE},
            part);
    Primitives decoded = (Primitives) roundTrip(value);
    assertThat(decoded).usingRecursiveComparison().ignoringFields("view").isEqualTo(value);
    assertThat(decoded.view()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(part.remaining()).isEqualTo(3);
    Primitives empty =
        new Primitives(
            new byte[0], new long[0], new double[0], new float[0], ByteBuffer.allocate(0));
    assertThat(roundTrip(empty)).usingRecursiveComparison().isEqualTo(empty);
  }

  @Test
  void enumsWhoseConstantsHaveBodiesAndEnumsAsLeaves() {
    assertSame(Color.BLUE);
    assertSame(Sign.MINUS);
    assertThat(((Color) roundTrip(Color.BLUE)).cold()).isTrue();
  }

  @Test
  void emptyRecordsInContainersAreCounted() {
    Containers value =
        new Containers(
            List.of(),
            List.of(List.of()),
            Collections.nCopies(1000, new Empty()),
            new TreeSet<>(),
            new TreeSet<>(),
            Optional.empty(),
            Optional.of(new Empty()),
            Map.of(),
            Map.of(new Empty(), new Empty()),
            List.of());
    assertSame(value);
    byte[] bytes = types.encode(new Generic<Object>(null));
    assertThat(types.decode(ByteBuffer.wrap(bytes))).isEqualTo(new Generic<Object>(null));
  }

  @Test
  void documentsKeepTheirTypesOrAreWidened() {
    Map<String, Object> fields = new java.util.LinkedHashMap<>();
    fields.put("z", null);
    fields.put("a", List.of(1L, 2.5, "x", true, Map.of()));
    assertSame(new Document(fields, fields, Arrays.asList(null, "x")));
    assertThat(roundTrip(new Generic<Object>(7))).isEqualTo(new Generic<Object>(7L));
    assertThat(roundTrip(new Generic<Object>(1.5f))).isEqualTo(new Generic<Object>(1.5));
    assertThat((byte[]) ((Generic<?>) roundTrip(new Generic<Object>(new byte[] {1}))).content())
        .containsExactly(1);
  }

  @Test
  void theOrderOfMapsIsKept() {
    Map<String, Object> fields = new java.util.LinkedHashMap<>();
    for (int i = 100; i > 0; i--) {
      fields.put("field" + i, (long) i);
    }
    Document decoded = (Document) roundTrip(new Document(null, fields, List.of()));
    assertThat(decoded.fields().keySet()).containsExactlyElementsOf(fields.keySet());
  }

  @Test
  void decodedContainersCannotBeChanged() {
    Containers decoded =
        (Containers) roundTrip(Samples.containers(RandomGeneratorFactory.getDefault().create(1)));
    assertThatThrownBy(() -> decoded.texts().add("x"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> decoded.numbers().add(1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void directBuffersAreRead() {
    byte[] bytes = types.encode(new Node("straße 漢😀", List.of(), Optional.empty()));
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    assertThat(types.decode(direct)).isEqualTo(types.decode(ByteBuffer.wrap(bytes)));
    assertThat(direct.remaining()).isEqualTo(bytes.length);
  }

  @Test
  void nestingIsBoundedAtBothEnds() {
    Object document = List.of("leaf");
    // Its empty list is one level more.
    Node node = new Node("leaf", List.of(), Optional.empty());
    for (int i = 0; i < Decoder.DEPTH_MAX - 2; i++) {
      document = List.of(document);
      node = new Node("n", List.of(), Optional.of(node));
    }
    assertSame(new Generic<>(document));
    assertSame(node);
    Generic<?> tooDeep = new Generic<>(List.of(document));
    Node tooLong = new Node("n", List.of(), Optional.of(node));
    assertFails(ErrorCode.INVALID_ARGUMENT, "nested deeper", () -> types.encode(tooDeep));
    assertFails(ErrorCode.INVALID_ARGUMENT, "nested deeper", () -> types.encode(tooLong));
    List<Object> cyclic = new ArrayList<>();
    cyclic.add(cyclic);
    assertFails(
        ErrorCode.INVALID_ARGUMENT, "nested deeper", () -> types.encode(new Generic<>(cyclic)));
  }

  @Test
  void whatCannotBeDecodedIsNotEncoded() {
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "Guarded is not",
        () -> TypeRegistry.of(List.of(Empty.class)).encode(new Guarded(1)));
    assertFails(
        ErrorCode.INVALID_ARGUMENT, "is not a document", () -> types.encode(new Generic<>('c')));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "keys are strings",
        () -> types.encode(new Generic<>(Map.of(1L, 1L))));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "Node.name is null",
        () -> types.encode(new Node(null, List.of(), Optional.empty())));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "null",
        () -> types.encode(new Node("x", Collections.singletonList(null), Optional.empty())));
    assertFails(
        ErrorCode.INVALID_ARGUMENT, "surrogate", () -> types.encode(new Generic<>("a\uD83D")));
    assertFails(
        ErrorCode.INVALID_ARGUMENT, "surrogate", () -> types.encode(new Generic<>("\uDE00b")));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "half a surrogate pair at 4",
        () -> types.encode(new Generic<>("é?\uD83D\uDE00\uD83D?")));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "292 years",
        () -> TypeRegistry.of(List.of(Wait.class)).encode(new Wait(Duration.ofDays(365L * 1000))));
  }

  record Wait(Duration duration) {}

  @Test
  void typesWithoutABinaryFormAreRefusedAtOnce() {
    assertThatThrownBy(() -> TypeRegistry.of(List.of(WithThread.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("WithThread.thread")
        .hasMessageContaining("java.lang.Thread");
    assertThatThrownBy(() -> TypeRegistry.of(List.of(Unordered.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Unordered.set");
    assertThatThrownBy(() -> TypeRegistry.of(List.of(Node.class, Other.Node.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Node");
  }

  record WithThread(Thread thread) {}

  record Unordered(SortedSet<Empty> set) {}

  /** A second type of a name that is taken. */
  static final class Other {
    record Node() {}
  }

  @Test
  void anExpectedTypeIsChecked() {
    byte[] bytes = types.encode(new Circle(1));
    assertThat(types.decode(ByteBuffer.wrap(bytes), Circle.class)).isEqualTo(new Circle(1));
    assertFails(
        ErrorCode.CORRUPT,
        "expected Guarded, found Circle",
        () -> types.decode(ByteBuffer.wrap(bytes), Guarded.class));
    byte[] document = types.encode("text");
    assertFails(
        ErrorCode.CORRUPT,
        "expected Guarded",
        () -> types.decode(ByteBuffer.wrap(document), Guarded.class));
  }

  @Test
  void customCodecsServeComponents() {
    Codec<Thread.State> codec =
        new Codec<>() {
          @Override
          public void write(Thread.State value, Encoder out) {
            out.writeByte(value.ordinal());
          }

          @Override
          public Thread.State read(Decoder in) {
            return Thread.State.values()[in.readByte()];
          }
        };
    TypeRegistry custom =
        new TypeRegistry(List.of(Custom.class), Map.of(Thread.State.class, codec));
    byte[] bytes = custom.encode(new Custom(Thread.State.BLOCKED));
    assertThat(custom.decode(ByteBuffer.wrap(bytes))).isEqualTo(new Custom(Thread.State.BLOCKED));
    bytes[bytes.length - 1] = 99;
    assertFails(ErrorCode.CORRUPT, "Custom", () -> custom.decode(ByteBuffer.wrap(bytes)));
  }

  record Custom(Thread.State state) {}
}
