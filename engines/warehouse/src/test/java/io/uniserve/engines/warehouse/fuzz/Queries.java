package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A maker of random queries, with sub-queries. */
final class Queries {
  private static final int COLUMNS_MAX = 4;

  private final Choices choices;
  private final Names names;
  private final Expressions expressions;
  private final Windows windows;
  private final Grouping grouping;
  private final Sources sources;

  Queries(Choices choices, Database database) {
    this.choices = choices;
    names = new Names(choices);
    expressions = new Expressions(choices, this);
    windows = new Windows(choices, expressions);
    grouping = new Grouping(choices, expressions);
    sources = new Sources(choices, database, this);
  }

  /**
   * A change of the rows of a table: what every database is told, and what the oracle is.
   *
   * @param fixed names of the columns that must stay as they are
   */
  Change change(Table table, Set<String> fixed) {
    return new Changes(choices, expressions, this).of(table, fixed);
  }

  /** A whole statement. */
  Query statement() {
    if (choices.chance(5)) {
      return split();
    }
    if (choices.chance(8)) {
      return star(choices.between(1, 2));
    }
    return choices.chance(15)
        ? with(3)
        : query(types(COLUMNS_MAX), Optional.empty(), choices.between(1, 3));
  }

  /**
   * The rows where a condition holds, those where it does not, and those where nobody knows: all of
   * them, whatever it is.
   */
  private Query split() {
    Sources.From from = sources.of(Optional.empty(), 1);
    Scope rows = Scope.of(from.sources(), Optional.empty());
    Part condition = expressions.predicates().of(rows, 2);
    Expression item = expressions.any(rows, 1);
    Part part =
        Part.sorted(
            Query.sort(List.of(item.type())),
            where(item, from, "(", condition, ")"),
            " union all ",
            where(item, from, "not (", condition, ")"),
            " union all ",
            where(item, from, "(", condition, ") is null"));
    return new Query(part, List.of(new Source.Column("a", item.type(), item.exact())), false);
  }

  private static Part where(
      Expression item, Sources.From from, String before, Part condition, String after) {
    Part select = Part.of("select ", item.part(), " as a from ", from.part());
    return Part.of(select, " where ", before, condition, after);
  }

  private List<Type> types(int most) {
    return IntStream.range(0, choices.between(1, most))
        .mapToObj(i -> choices.oneOf(Type.values()))
        .toList();
  }

  private Query with(int depth) {
    List<Part> definitions = new ArrayList<>();
    List<Source> defined = new ArrayList<>();
    for (int i = choices.between(1, 2); i > 0; i--) {
      Query query = table(depth - 1);
      String name = choices.oneOf("q", "w", "\"Q2\"", "c1");
      if (!sources.knows(name)) {
        Source source = new Source(name, query.columns());
        definitions.add(Part.of(name, " as (", query.part(), ")"));
        defined.add(source);
        sources.remember(source);
      }
    }
    Query body = query(types(COLUMNS_MAX), Optional.empty(), depth - 1);
    defined.forEach(sources::forget);
    return definitions.isEmpty()
        ? body
        : new Query(
            Part.sorted(
                Query.sort(body.types()), "with ", Part.list(", ", definitions), " ", body.part()),
            body.columns(),
            body.ordered());
  }

  /** A query of columns of some types. */
  Query ofTypes(List<Type> types) {
    return query(types, Optional.empty(), 1);
  }

  /** A query that can be read as a table. */
  Query table(int depth) {
    if (choices.chance(15)) {
      Query star = star(depth);
      long names = star.columns().stream().map(each -> Names.same(each.name())).distinct().count();
      if (names == star.columns().size()) {
        return star;
      }
    }
    return query(types(3), Optional.empty(), depth);
  }

  /** All columns of what is read, some of which may have the same name. */
  private Query star(int depth) {
    Sources.From from = sources.of(Optional.empty(), depth - 1);
    Scope rows = Scope.of(from.sources(), Optional.empty());
    List<Source.Column> columns =
        from.sources().stream().flatMap(source -> source.columns().stream()).toList();
    Part part =
        Part.of("select * from ", from.part(), choices.chance(40) ? where(rows, 2) : Part.of(""));
    return new Query(part, columns, false);
  }

  /** A query of one column, whose rows may depend on those of the query around it. */
  Part column(Type type, Scope scope, int depth) {
    return query(List.of(type), Optional.of(scope), depth - 1).part();
  }

  /** A query of several columns; DuckDB compares no rows with those of one that depends on them. */
  Part columns(List<Type> types, int depth) {
    return query(types, Optional.empty(), depth - 1).part();
  }

  /** A query in parentheses that gives one row or none. */
  Part scalar(Type type, Scope scope, int depth) {
    Optional<Scope> outer = Optional.of(scope);
    if (choices.chance(40)) {
      Query query = select(List.of(type), outer, depth - 1);
      return Part.sorted(type.sort(), "(", query.part(), " order by 1 limit 1)");
    }
    Sources.From from = sources.of(outer, depth - 1);
    Scope rows = Scope.of(from.sources(), outer);
    Part value = expressions.aggregate(type, rows.groupedBy(List.of())).part();
    return Part.sorted(type.sort(), "(select ", value, " from ", from.part(), where(rows, 1), ")");
  }

  /** A query of which only counts whether it has rows. */
  Part exists(Scope scope, int depth) {
    return choices.chance(30)
        ? query(types(2), Optional.of(scope), depth - 1).part()
        : select(List.of(Type.INTEGER), Optional.of(scope), depth - 1).part();
  }

  /** Makes the condition that joins rows of both sides. */
  Part joinCondition(List<Source> left, List<Source> right) {
    List<Source> both = new ArrayList<>(left);
    both.addAll(right);
    Scope scope = Scope.of(both, Optional.empty());
    List<Expression> columns = scope.columns();
    for (int attempt = 0; attempt < 20; attempt++) {
      Expression one = choices.oneOf(columns);
      Expression other = choices.oneOf(columns);
      if (one.type() == other.type() && !one.part().text().equals(other.part().text())) {
        Part equal =
            Part.sorted(
                Type.BOOLEAN.sort(),
                one.part(),
                choices.oneOf(" = ", " = ", " = ", " <= ", " <> "),
                other.part());
        return choices.chance(75)
            ? equal
            : Part.sorted(
                Type.BOOLEAN.sort(),
                Part.list(
                    choices.oneOf(" and ", " and ", " or "),
                    List.of(equal, expressions.predicates().of(scope, 0))));
      }
    }
    return expressions.predicates().of(scope, 0);
  }

  private Query query(List<Type> types, Optional<Scope> outer, int depth) {
    Query query =
        depth > 0 && choices.chance(18)
            ? setOperation(types, outer, depth - 1)
            : select(types, outer, depth);
    return choices.chance(25) ? ordered(query) : query;
  }

  private Query setOperation(List<Type> types, Optional<Scope> outer, int depth) {
    Query first = query(types, outer, depth);
    Query second = query(types, outer, depth);
    Part part =
        Part.sorted(
            Query.sort(types),
            "(",
            first.part(),
            ") ",
            choices.oneOf(
                "union",
                "intersect",
                "except",
                "union all",
                "union all",
                "intersect all",
                "except all"),
            " (",
            second.part(),
            ")");
    return new Query(part, first.columns(), false);
  }

  private Query select(List<Type> types, Optional<Scope> outer, int depth) {
    Sources.From from = sources.of(outer, depth - 1);
    Scope rows = Scope.of(from.sources(), outer);
    Part where = choices.chance(50) ? where(rows, 2) : Part.of("");
    Optional<Grouping.Grouped> grouped = choices.chance(35) ? grouping.of(rows) : Optional.empty();
    Scope scope = grouped.map(Grouping.Grouped::scope).orElse(rows);
    boolean windowed = grouped.isEmpty() && !rows.columns().isEmpty() && choices.chance(20);
    List<Part> items = new ArrayList<>();
    List<Source.Column> columns = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    boolean named = windowed && choices.chance(30);
    String window = "win" + choices.below(1_000);
    for (Type type : types) {
      Expression item =
          windowed && choices.chance(50)
              ? named ? windows.over(type, scope, window) : windows.of(type, scope)
              : expressions.of(type, scope, choices.between(0, 2));
      String name = names.output(taken);
      taken.add(Names.same(name));
      items.add(Part.of(item.part(), choices.oneOf(" as ", " as ", " "), name));
      columns.add(new Source.Column(name, item.type(), item.exact()));
    }
    Part part =
        Part.sorted(
            Query.sort(types),
            "select ",
            choices.chance(15) ? Part.optional("distinct ") : Part.of(""),
            Part.list(", ", items),
            " from ",
            from.part(),
            where,
            grouped.map(Grouping.Grouped::part).orElse(Part.of("")),
            named ? Part.of(" window " + window + " as (", windows.ofAll(scope), ")") : Part.of(""),
            windowed && choices.chance(25)
                ? qualify(scope, named ? Optional.of(window) : Optional.empty())
                : Part.of(""));
    return new Query(part, columns, false);
  }

  private Part qualify(Scope scope, Optional<String> named) {
    Type type = choices.oneOf(Type.INTEGER, Type.BIGINT);
    Expression window =
        named.map(name -> windows.over(type, scope, name)).orElseGet(() -> windows.of(type, scope));
    return Part.optional(
        " qualify ",
        window.part(),
        choices.oneOf(" <= ", " = ", " > ", " is distinct from "),
        choices.oneOf("1", "2"));
  }

  private Part where(Scope scope, int depth) {
    return Part.optional(" where ", expressions.predicates().of(scope, depth));
  }

  /** Orders a query by all its columns, and often limits it to the first rows. */
  private Query ordered(Query query) {
    List<Integer> places = IntStream.rangeClosed(1, query.columns().size()).boxed().toList();
    String order =
        choices.shuffled(places).stream()
            .map(place -> key(query, place))
            .collect(Collectors.joining(", "));
    String limit =
        choices.oneOf(
            "",
            " limit 1",
            " limit 3",
            " limit 2 offset 1",
            " limit 5 offset 2",
            " limit 0",
            " offset 1");
    return new Query(
        Part.sorted(
            Query.sort(query.types()), query.part(), Part.optional(" order by ", order + limit)),
        query.columns(),
        true);
  }

  private String key(Query query, int place) {
    String key = choices.chance(50) ? String.valueOf(place) : query.columns().get(place - 1).name();
    return key + choices.oneOf("", "", " desc", " nulls first", " desc nulls first");
  }
}
