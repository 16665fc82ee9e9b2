package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordPartsTest {
  private record Empty() {}

  private record Every(
      boolean flag,
      byte tiny,
      short small,
      char letter,
      int number,
      long large,
      float rough,
      double exact,
      String text,
      long[] many,
      List<Empty> nested) {}

  private record Positive(long value) {
    Positive {
      if (value <= 0) {
        throw new IllegalStateException(value + " is not positive");
      }
    }

    @Override
    public long value() {
      return value + 1;
    }
  }

  /** A class loader that defines the test's records once more, in its own package of this name. */
  private static final class OtherLoader extends ClassLoader {
    private OtherLoader() {
      super(RecordPartsTest.class.getClassLoader());
    }

    private Class<? extends Record> again(Class<? extends Record> type) throws IOException {
      String file = type.getName().replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(type.getName(), bytes, 0, bytes.length).asSubclass(Record.class);
      }
    }
  }

  @Test
  void everyKindOfComponentIsTakenOutAndPutBack() {
    Every every =
        new Every(
            true,
            (byte) -1,
            (short) -2,
            'ß',
            -3,
            Long.MIN_VALUE,
            1.5f,
            -0.0,
            "t",
            new long[1],
            List.of(new Empty()));
    Object[] components = RecordPartsMaker.of(Every.class).components(every);
    assertThat(components)
        .containsExactly(
            true,
            (byte) -1,
            (short) -2,
            'ß',
            -3,
            Long.MIN_VALUE,
            1.5f,
            -0.0,
            "t",
            every.many(),
            every.nested());
    assertThat(RecordPartsMaker.of(Every.class).create(components)).isEqualTo(every);
  }

  @Test
  void aRecordMayHaveNoComponents() {
    assertThat(RecordPartsMaker.of(Empty.class).components(new Empty())).isEmpty();
    assertThat(RecordPartsMaker.of(Empty.class).create(new Object[0])).isEqualTo(new Empty());
  }

  @Test
  void aRecordHasOneClassHoweverOftenItIsAskedFor() {
    assertThat(RecordPartsMaker.of(Empty.class)).isSameAs(RecordPartsMaker.of(Empty.class));
  }

  @Test
  void aRecordMayBelongToAnotherPackage() {
    ActorId id = new ActorId(7, 3);
    assertThat(
            RecordPartsMaker.of(ActorId.class)
                .create(RecordPartsMaker.of(ActorId.class).components(id)))
        .isEqualTo(id);
  }

  @Test
  void aRecordMayHaveAnotherClassLoader() throws IOException {
    OtherLoader loader = new OtherLoader();
    for (Class<? extends Record> type : List.of(Positive.class, Empty.class)) {
      Class<? extends Record> again = loader.again(type);
      assertThat(again).isNotEqualTo(type);
      Object[] components = type == Positive.class ? new Object[] {1L} : new Object[0];
      Object made = RecordPartsMaker.of(again).create(components);
      assertThat(made).isInstanceOf(again);
      assertThat(RecordPartsMaker.of(again).components(made)).hasSameSizeAs(components);
    }
  }

  @Test
  void theRecordsOwnConstructorAndAccessorsAreCalled() {
    RecordParts parts = RecordPartsMaker.of(Positive.class);
    assertThat(parts.components(new Positive(1))).containsExactly(2L);
    assertThatThrownBy(() -> parts.create(new Object[] {0L}))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("0 is not positive");
  }

  @Test
  void componentsOfAnotherTypeAreRefused() {
    RecordParts parts = RecordPartsMaker.of(Positive.class);
    assertThatThrownBy(() -> parts.create(new Object[] {"1"}))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> parts.components(new Empty())).isInstanceOf(ClassCastException.class);
  }
}
