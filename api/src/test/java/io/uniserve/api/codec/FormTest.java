package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests of versions, declared names, and components that were added later. */
class FormTest {
  /** Types as in version 1: a number and a list of words. */
  record Former() {
    /** The record of the first program. */
    @Name("Order")
    record Order(int number, List<Word> words) {}

    record Word(String text) {}
  }

  /** Types as in version 3, where classes have other names as well. */
  record Present() {
    @Name("Order")
    record Purchase(
        int number,
        @Since(2) Optional<String> customer,
        List<Noun> words,
        @Since(3) long price,
        @Since(3) boolean paid,
        @Since(3) List<String> notes,
        @Since(3) Map<String, Long> sizes,
        @Since(3) SortedSet<String> labels,
        @Since(3) Duration term,
        @Since(3) String text,
        @Since(3) Object document) {}

    record Noun(String text, @Since(2) Optional<Noun> plural) {}
  }

  /** The bytes that the first program wrote; this line never changes. */
  private static final String VERSION_1 = "0001054f726465720e02036f6e650374776f";

  /** The bytes that the second program wrote. */
  private static final String VERSION_2 =
      "0002054f726465720e010362656e02036f6e65000374776f010474776f7300";

  private final Form former =
      new Form("orders", 1, 1, TypeRegistry.of(List.of(Former.Order.class)));
  private final Form present =
      new Form("orders", 1, 3, TypeRegistry.of(List.of(Present.Purchase.class)));

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }

  private static Present.Purchase purchase(Optional<String> customer, List<Present.Noun> words) {
    return new Present.Purchase(
        7,
        customer,
        words,
        0,
        false,
        List.of(),
        Map.of(),
        new TreeSet<>(),
        Duration.ZERO,
        "",
        null);
  }

  private static void assertRefused(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(e).hasMessage(message);
            });
  }

  @Test
  void theVersionStandsBeforeTheValue() {
    Former.Order order =
        new Former.Order(7, List.of(new Former.Word("one"), new Former.Word("two")));
    assertThat(HexFormat.of().formatHex(former.encode(order))).isEqualTo(VERSION_1);
    assertThat(former.decode(bytes(VERSION_1), Former.Order.class)).isEqualTo(order);
  }

  @Test
  void whatOlderBytesLackIsEmpty() {
    assertThat(present.decode(bytes(VERSION_1), Present.Purchase.class))
        .isEqualTo(
            purchase(
                Optional.empty(),
                List.of(
                    new Present.Noun("one", Optional.empty()),
                    new Present.Noun("two", Optional.empty()))));
    assertThat(present.decode(bytes(VERSION_2), Present.Purchase.class))
        .isEqualTo(
            purchase(
                Optional.of("ben"),
                List.of(
                    new Present.Noun("one", Optional.empty()),
                    new Present.Noun(
                        "two", Optional.of(new Present.Noun("twos", Optional.empty()))))));
  }

  @Test
  void whatIsReadOfOlderBytesIsWrittenInTheNewestVersion() {
    Present.Purchase read = present.decode(bytes(VERSION_1), Present.Purchase.class);
    byte[] written = present.encode(read);
    assertThat(written[1]).isEqualTo((byte) 3);
    assertThat(present.decode(ByteBuffer.wrap(written), Present.Purchase.class)).isEqualTo(read);
  }

  @Test
  void unknownVersionsAreRefusedByName() {
    assertRefused(
        "the form of orders has version 2; this program knows version 1",
        () -> former.decode(bytes(VERSION_2), Former.Order.class));
    assertRefused(
        "the form of orders has version 4; this program knows versions 1 to 3",
        () -> present.decode(bytes("0004" + VERSION_2.substring(4)), Present.Purchase.class));
    assertRefused(
        "the form of orders has version 0; this program knows version 1",
        () -> former.decode(bytes("0000" + VERSION_1.substring(4)), Former.Order.class));
    assertRefused(
        "the form of orders was written before it had versions; this program knows version 1",
        () -> former.decode(bytes(VERSION_1.substring(4)), Former.Order.class));
    for (String damaged : List.of("", "05", "ff" + VERSION_1, "0354776f", "00", "00ff")) {
      assertThatThrownBy(() -> former.decode(bytes(damaged), Former.Order.class))
          .as(damaged)
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
    }
  }

  @Test
  void aComponentThatCannotBeEmptyCannotBeAdded() {
    assertThatThrownBy(() -> TypeRegistry.of(List.of(Grown.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Grown.word")
        .hasMessageContaining("an Optional of it can be added");
  }

  record Grown(@Since(2) Former.Word word) {}

  @Test
  void namesAreDeclaredOrTold() {
    TypeRegistry types = TypeRegistry.of(List.of(Fruit.class, Box.class, Color.class));
    assertThat(types.encode(new Apple(1))).isEqualTo(new byte[] {5, 'P', 'o', 'm', 'u', 'm', 2});
    assertThat(types.encode(Color.RED))
        .isEqualTo(new byte[] {5, 'C', 'o', 'l', 'o', 'r', 5, 'r', 'u', 'b', 'e', 'r'});
    assertThat(types.decode(ByteBuffer.wrap(types.encode(Color.RED)))).isEqualTo(Color.RED);
    assertThat(types.decode(ByteBuffer.wrap(types.encode(new Box(new Apple(1))))))
        .isEqualTo(new Box(new Apple(1)));
    String prefix = FormTest.class.getName() + "$";
    assertThat(types.undeclared()).containsExactly(prefix + "Color.BLUE", prefix + "Pear");
    assertThatThrownBy(() -> TypeRegistry.of(List.of(Apple.class, Pomum.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two types are named Pomum");
  }

  sealed interface Fruit {}

  @Name("Pomum")
  record Apple(int seeds) implements Fruit {}

  record Pear() implements Fruit {}

  record Pomum() {}

  @Name("Box")
  record Box(Fruit fruit) {}

  @Name("Color")
  enum Color {
    @Name("ruber")
    RED,
    BLUE
  }
}
