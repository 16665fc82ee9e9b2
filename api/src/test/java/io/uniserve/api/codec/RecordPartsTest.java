package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import java.lang.invoke.MethodHandles;
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

  private static RecordParts of(Class<? extends Record> type) throws ReflectiveOperationException {
    return RecordParts.of(type, MethodHandles.privateLookupIn(type, MethodHandles.lookup()));
  }

  @Test
  void everyKindOfComponentIsTakenOutAndPutBack() throws ReflectiveOperationException {
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
    Object[] components = of(Every.class).components(every);
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
    assertThat(of(Every.class).create(components)).isEqualTo(every);
  }

  @Test
  void aRecordMayHaveNoComponents() throws ReflectiveOperationException {
    assertThat(of(Empty.class).components(new Empty())).isEmpty();
    assertThat(of(Empty.class).create(new Object[0])).isEqualTo(new Empty());
  }

  @Test
  void aRecordMayBelongToAnotherPackage() throws ReflectiveOperationException {
    ActorId id = new ActorId(7, 3);
    assertThat(of(ActorId.class).create(of(ActorId.class).components(id))).isEqualTo(id);
  }

  @Test
  void theRecordsOwnConstructorAndAccessorsAreCalled() throws ReflectiveOperationException {
    RecordParts parts = of(Positive.class);
    assertThat(parts.components(new Positive(1))).containsExactly(2L);
    assertThatThrownBy(() -> parts.create(new Object[] {0L}))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("0 is not positive");
  }

  @Test
  void componentsOfAnotherTypeAreRefused() throws ReflectiveOperationException {
    RecordParts parts = of(Positive.class);
    assertThatThrownBy(() -> parts.create(new Object[] {"1"}))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> parts.components(new Empty())).isInstanceOf(ClassCastException.class);
  }
}
