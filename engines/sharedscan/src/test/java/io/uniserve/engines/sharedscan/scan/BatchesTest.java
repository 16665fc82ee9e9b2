package io.uniserve.engines.sharedscan.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random batches, whose queries, insertions, changes and deletions overlap and change what later
 * ones match, beside a model that does one after the other, record for record.
 */
class BatchesTest {
  private static final int CYCLES = 12;

  private static final double MUCH = 1e9;

  /** The column of numbers. */
  private static final int NUMBER = 2;

  /** The distance of its values. */
  private static final long STEP = 1_000_000;

  private static final int[] FARE_AND_KIND = {4, 7};
  private static final List<String> WORDS =
      List.of("", "a", "ab", "abcdefgh", "abcdefghi", "abcdefghij", "b", "zürich", "zürich-kloten");

  private final TableSchema schema = schema();

  /** The columns that many operations of a batch compare, so that they are in one index. */
  private int[] favourites = {};

  /** True for a batch of many operations with narrow intervals of one column. */
  private boolean narrow;

  private static final Set<String> INDEXES = new ConcurrentSkipListSet<>();
  private static final Set<String> TREES = new ConcurrentSkipListSet<>();

  private static TableSchema schema() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("place", "varchar(3) not null");
    columns.put("small", "tinyint");
    columns.put("number", "integer");
    columns.put("large", "bigint");
    columns.put("fare", "decimal(12,2)");
    columns.put("day", "date");
    columns.put("flag", "boolean");
    columns.put("kind", "enum('x','y','z')");
    columns.put("name", "varchar(40)");
    columns.put("note", "varchar");
    columns.put("id", "bigint not null");
    return TableSchema.of(Map.of("columns", columns, "partitionBy", "place"));
  }

  static IntStream seeds() {
    return IntStream.range(0, 6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aBatchDoesWhatOneAfterTheOtherDoes(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model(schema);
    Frequencies frequencies = new Frequencies();
    try (Segment segment = new Segment(schema)) {
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        narrow = cycle % 4 == 1;
        favourites =
            cycle % 3 == 0
                ? FARE_AND_KIND
                : random.ints(1 + random.nextInt(3), 0, schema.size() - 1).toArray();
        run(random, cycle, segment, model, frequencies);
      }
    }
  }

  @AfterAll
  static void someOperationsWereFoundInEachWay() {
    assertThat(INDEXES)
        .as("indexes, some of which are of two columns")
        .anyMatch(columns -> columns.contains(" and "));
    assertThat(TREES).as("trees of ranges").isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aBatchOnAnEmptyTableDoesToo(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model(schema);
    try (Segment segment = new Segment(schema)) {
      run(random, 1, segment, model, new Frequencies());
      run(random, 1, segment, model, new Frequencies());
    }
  }

  private void run(
      SplittableRandom random, int cycle, Segment segment, Model model, Frequencies frequencies) {
    boolean many = narrow || cycle % 3 == 0;
    int operations = many ? 150 : 1 + random.nextInt(random.nextBoolean() ? 400 : 20);
    List<Operation> batch = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      int choice = cycle == 0 && i == 0 ? 0 : random.nextInt(10);
      if (choice == 0) {
        int rows = cycle == 0 && i == 0 ? random.nextInt(2_000, 9_000) : random.nextInt(4);
        insert(random, rows, batch, model);
      } else if (choice <= 5) {
        query(random, batch, model, checks);
      } else {
        change(random, choice == 6, batch, model, checks);
      }
    }
    try (Segment before = segment.snapshot()) {
      List<List<Object>> rows = rows(before);
      CycleReport.Indexes used = Join.run(segment, batch, frequencies, costs(cycle));
      INDEXES.addAll(used.byHash().keySet());
      TREES.addAll(used.byTree().keySet());
      same("a snapshot does not change", rows(before), rows);
    }
    checks.forEach(Runnable::run);
    same("the records after the cycle", rows(segment), model.rows());
    assertThat(segment.records()).isEqualTo(model.rows().size());
  }

  /** Returns the costs as they are, or such that indexes or tests together cost nothing. */
  private static Costs costs(int cycle) {
    return switch (cycle % 4) {
      case 0 -> Costs.MEASURED;
      case 2 -> new Costs(MUCH, 0);
      default -> new Costs(0, MUCH);
    };
  }

  private void insert(SplittableRandom random, int many, List<Operation> batch, Model model) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      rows.add(row(random));
    }
    batch.add(new Operation.Insertion(rows));
    rows.forEach(model::insert);
  }

  private Object[] row(SplittableRandom random) {
    Object[] row = new Object[schema.size()];
    for (int column = 0; column < row.length; column++) {
      row[column] = value(random, column);
    }
    row[row.length - 1] = random.nextLong();
    return row;
  }

  private Object value(SplittableRandom random, int column) {
    if (schema.column(column).nullable() && random.nextInt(6) == 0) {
      return null;
    }
    Object value =
        switch (column) {
          case 0 -> "" + (char) ('A' + random.nextInt(26)) + (char) ('A' + random.nextInt(20));
          case 1 -> (long) random.nextInt(-128, 128);
          case NUMBER -> (long) random.nextInt(1000) * STEP;
          case 3 -> random.nextLong(5000);
          case 4 -> random.nextInt(100) + ".25";
          case 5 -> "2026-0" + (1 + random.nextInt(9)) + "-1" + random.nextInt(10);
          case 6 -> random.nextBoolean();
          case 7 -> List.of("x", "y", "z").get(random.nextInt(3));
          case 8 -> WORDS.get(random.nextInt(WORDS.size()));
          case 9 -> WORDS.get(random.nextInt(WORDS.size())) + "-" + random.nextInt(2000);
          default -> random.nextLong();
        };
    return schema.column(column).stored(value);
  }

  private List<Test> tests(SplittableRandom random) {
    List<Test> tests = new ArrayList<>();
    if (random.nextBoolean()) {
      for (int column : favourites) {
        Object value = given(random, column);
        tests.add(
            random.nextInt(8) > 0
                ? new Test.Among(column, List.of(value), false)
                : new Test.Between(column, value, true, value, true));
      }
    }
    if (narrow && random.nextInt(8) > 0) {
      long low = (Long) given(random, NUMBER) + random.nextInt(1000);
      tests.add(new Test.Between(NUMBER, low, random.nextBoolean(), low + STEP, true));
    }
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      tests.add(test(random, random.nextInt(schema.size() - 1)));
    }
    return tests;
  }

  private Test test(SplittableRandom random, int column) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> new Test.Among(column, List.of(given(random, column)), false);
      case 3 ->
          new Test.Among(
              column,
              IntStream.range(0, random.nextInt(60)).mapToObj(i -> given(random, column)).toList(),
              random.nextInt(4) == 0);
      case 4, 5 ->
          new Test.Between(
              column,
              random.nextInt(4) == 0 ? null : given(random, column),
              random.nextBoolean(),
              random.nextInt(4) == 0 ? null : given(random, column),
              random.nextBoolean());
      case 6 -> new Test.Missing(column, random.nextBoolean());
      default ->
          new Test.BeginsWith(
              List.of(0, 8, 9).get(random.nextInt(3)), WORDS.get(random.nextInt(WORDS.size())));
    };
  }

  /** Returns a value as a test has it. */
  private Object given(SplittableRandom random, int column) {
    Object stored = null;
    while (stored == null) {
      stored = value(random, column);
    }
    return stored instanceof byte[] text
        ? new String(text, java.nio.charset.StandardCharsets.UTF_8)
        : stored;
  }

  private void query(
      SplittableRandom random, List<Operation> batch, Model model, List<Runnable> checks) {
    List<Test> tests = tests(random);
    List<RowSink.Block> blocks = new ArrayList<>();
    int[] columns = IntStream.range(0, schema.size()).toArray();
    RowSink sink = RowSink.keeping(schema, columns, Long.MAX_VALUE, () -> false, blocks);
    batch.add(new Operation.Query(tests, sink));
    List<List<Object>> expected = model.rows(tests);
    checks.add(
        () -> {
          sink.finish();
          if (!sink.overflowed()) {
            same("rows of " + tests, rows(blocks), expected);
          }
        });
  }

  private void change(
      SplittableRandom random,
      boolean deletes,
      List<Operation> batch,
      Model model,
      List<Runnable> checks) {
    List<Test> tests = tests(random);
    if (deletes && tests.size() < 2) {
      return; // so that some records stay
    }
    int[] columns =
        IntStream.range(1, schema.size() - 1).filter(i -> random.nextInt(5) == 0).toArray();
    Object[] stored = Arrays.stream(columns).mapToObj(i -> value(random, i)).toArray();
    Operation.Change change =
        deletes
            ? Operation.Change.deletion(tests)
            : Operation.Change.setting(tests, columns, stored);
    batch.add(change);
    long expected = deletes ? model.delete(tests) : model.set(tests, columns, stored);
    checks.add(() -> assertThat(change.changed()).as("changed by %s", tests).isEqualTo(expected));
  }

  private List<List<Object>> rows(List<RowSink.Block> blocks) {
    Cells cells = new Cells(schema.columns());
    List<List<Object>> rows = new ArrayList<>();
    for (RowSink.Block block : blocks) {
      ByteBuffer bytes = block.cells().order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < block.rows(); i++) {
        rows.add(cells.values(cells.take(bytes)));
      }
    }
    rows.sort(Model.BY_ID);
    return rows;
  }

  private List<List<Object>> rows(Segment segment) {
    Cells cells = new Cells(schema.columns());
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < segment.size(); i++) {
      Segment.rows(segment.chunk(i)).forEach(row -> rows.add(cells.values(row)));
    }
    rows.sort(Model.BY_ID);
    return rows;
  }

  /** Compares rows, and tells only the first that differs. */
  private static void same(String what, List<List<Object>> found, List<List<Object>> expected) {
    for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
      assertThat(found.get(i)).as("row %d of %s", i, what).isEqualTo(expected.get(i));
    }
    assertThat(found.size()).as("the number of %s", what).isEqualTo(expected.size());
  }
}
