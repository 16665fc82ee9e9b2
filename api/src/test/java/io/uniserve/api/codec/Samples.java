package io.uniserve.api.codec;

import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Record types of every kind that has a binary form, and random values of them. */
final class Samples {
  private Samples() {}

  enum Color {
    RED,
    GREEN,
    /** Its class is not the enum's own. */
    BLUE {
      @Override
      boolean cold() {
        return true;
      }
    };

    boolean cold() {
      return false;
    }
  }

  record Empty() {}

  record Scalars(
      boolean flag,
      byte small,
      int number,
      long large,
      float single,
      double real,
      Boolean boxedFlag,
      Integer boxedNumber,
      String text,
      Duration duration,
      PartitionKey key,
      Color color) {}

  record Primitives(
      byte[] bytes, long[] longs, double[] doubles, float[] floats, ByteBuffer view) {}

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  sealed interface Polygon extends Shape {}

  record Square(int side) implements Polygon {}

  record Point() implements Polygon {}

  enum Sign implements Shape {
    PLUS,
    MINUS
  }

  record Containers(
      List<String> texts,
      List<List<Integer>> nested,
      List<Empty> empties,
      SortedSet<Integer> numbers,
      SortedSet<Color> colors,
      Optional<Shape> maybe,
      Optional<Empty> maybeEmpty,
      Map<String, List<Shape>> shapes,
      Map<Empty, Empty> emptyMap,
      List<Optional<Long>> optionals) {}

  record Node(String name, List<Node> children, Optional<Node> next) {}

  record Document(Object content, Map<String, Object> fields, List<Object> list) {}

  record Generic<T>(T content) {}

  record Guarded(int positive) {
    Guarded {
      if (positive <= 0) {
        throw new IllegalArgumentException("not positive: " + positive);
      }
    }
  }

  static final List<Class<?>> TYPES =
      List.of(
          Empty.class,
          Scalars.class,
          Primitives.class,
          Shape.class,
          Color.class,
          Containers.class,
          Node.class,
          Document.class,
          Generic.class,
          Guarded.class);

  static Object any(RandomGenerator random) {
    return switch (random.nextInt(9)) {
      case 0 -> new Empty();
      case 1 -> scalars(random);
      case 2 -> shape(random);
      case 3 -> containers(random);
      case 4 -> node(random, 4);
      case 5 -> new Document(document(random, 4), fields(random, 3), documents(random, 2));
      case 6 -> new Generic<Object>(document(random, 2));
      case 7 -> new Guarded(1 + random.nextInt(100));
      default -> document(random, 4);
    };
  }

  static Scalars scalars(RandomGenerator random) {
    return new Scalars(
        random.nextBoolean(),
        (byte) random.nextInt(),
        random.nextInt(),
        random.nextLong() >> random.nextInt(64),
        random.nextFloat(),
        random.nextDouble(),
        random.nextBoolean(),
        random.nextInt(),
        text(random),
        Duration.ofNanos(random.nextLong()),
        PartitionKey.of(random.nextLong()),
        Color.values()[random.nextInt(3)]);
  }

  static Containers containers(RandomGenerator random) {
    Map<String, List<Shape>> shapes = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      shapes.put(text(random) + i, List.of(shape(random), shape(random)));
    }
    return new Containers(
        List.of(text(random), text(random)),
        List.of(List.of(), List.of(1, random.nextInt())),
        Collections.nCopies(random.nextInt(5), new Empty()),
        new TreeSet<>(List.of(3, 1, random.nextInt(10, 20))),
        new TreeSet<>(List.of(Color.BLUE, Color.RED)),
        random.nextBoolean() ? Optional.of(shape(random)) : Optional.empty(),
        random.nextBoolean() ? Optional.of(new Empty()) : Optional.empty(),
        shapes,
        random.nextBoolean() ? Map.of() : Map.of(new Empty(), new Empty()),
        List.of(Optional.empty(), Optional.of(random.nextLong())));
  }

  static Shape shape(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Circle(random.nextDouble());
      case 1 -> new Square(random.nextInt());
      case 2 -> new Point();
      default -> Sign.values()[random.nextInt(2)];
    };
  }

  static Node node(RandomGenerator random, int depth) {
    List<Node> children = new ArrayList<>();
    for (int i = depth == 0 ? 0 : random.nextInt(3); i > 0; i--) {
      children.add(node(random, depth - 1));
    }
    boolean last = depth == 0 || random.nextBoolean();
    return new Node(
        text(random), children, last ? Optional.empty() : Optional.of(node(random, depth - 1)));
  }

  static Object document(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextLong();
      case 3 -> random.nextDouble();
      case 4 -> text(random);
      case 5 -> documents(random, depth - 1);
      default -> fields(random, depth - 1);
    };
  }

  static List<Object> documents(RandomGenerator random, int depth) {
    return new ArrayList<>(
        Arrays.asList(document(random, depth), document(random, depth), document(random, depth)));
  }

  static Map<String, Object> fields(RandomGenerator random, int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.put(text(random) + i, document(random, depth));
    }
    return fields;
  }

  static String text(RandomGenerator random) {
    String[] pieces = {"", "a", "straße", "漢字", "😀", "\u0000", "\uFFFD", "x".repeat(200)};
    return pieces[random.nextInt(pieces.length)] + pieces[random.nextInt(pieces.length)];
  }
}
