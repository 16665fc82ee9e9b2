package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A maker of random inputs of queries: tables, queries, and joins of them. */
final class Sources {
  /** The part after FROM, and its sources. */
  record From(Part part, List<Source> sources) {}

  private final Choices choices;
  private final Names names;
  private final Queries queries;
  private final List<Source> known = new ArrayList<>();

  Sources(Choices choices, Database database, Queries queries) {
    this.choices = choices;
    this.queries = queries;
    names = new Names(choices);
    for (Table table : database.tables()) {
      known.add(
          new Source(
              Table.quoted(table.name()),
              table.columns().stream()
                  .map(each -> new Source.Column(Table.quoted(each.name()), each.type(), true))
                  .toList()));
    }
  }

  /** Lets the queries that follow read one by a name, until {@link #forget}. */
  void remember(Source query) {
    known.add(query);
  }

  void forget(Source query) {
    known.remove(query);
  }

  /** Returns whether a name is taken by a source. */
  boolean knows(String name) {
    return known.stream().anyMatch(each -> Names.same(each.alias()).equals(Names.same(name)));
  }

  /** One source or several that are joined. */
  From of(Optional<Scope> outer, int depth) {
    Set<String> aliases = new HashSet<>();
    From from = one(outer, depth, aliases);
    for (int i = choices.oneOf(0, 0, 0, 1, 1, 2); i > 0; i--) {
      from = joined(from, one(outer, depth, aliases), outer);
    }
    return from;
  }

  private From one(Optional<Scope> outer, int depth, Set<String> aliases) {
    From from =
        depth > 0 && choices.chance(25)
            ? derived(depth, aliases)
            : choices.chance(6) ? values(aliases) : table(aliases);
    aliases.add(Names.same(from.sources().getFirst().alias()));
    return from;
  }

  private From table(Set<String> aliases) {
    Source source = choices.oneOf(known);
    if (!aliases.contains(Names.same(source.alias())) && choices.chance(50)) {
      return new From(Part.sorted("source", source.alias()), List.of(source));
    }
    String alias = names.alias(aliases);
    return new From(
        Part.sorted("source", source.alias(), choices.oneOf(" as ", " "), alias),
        List.of(new Source(alias, source.columns())));
  }

  private From derived(int depth, Set<String> aliases) {
    Query query = queries.table(depth - 1);
    String alias = names.alias(aliases);
    return new From(
        Part.sorted("source", "(", query.part(), ")", choices.oneOf(" as ", " "), alias),
        List.of(new Source(alias, query.columns())));
  }

  private From values(Set<String> aliases) {
    List<Type> types =
        IntStream.range(0, choices.between(1, 2))
            .mapToObj(i -> choices.oneOf(Type.INTEGER, Type.TEXT, Type.DATE))
            .toList();
    Values values = new Values(choices, false);
    List<Part> rows = new ArrayList<>();
    for (int i = choices.between(1, 3); i > 0; i--) {
      rows.add(Part.of("(" + String.join(", ", types.stream().map(values::of).toList()) + ")"));
    }
    String alias = names.alias(aliases);
    List<Source.Column> columns = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (Type type : types) {
      String name = names.output(taken);
      taken.add(Names.same(name));
      columns.add(new Source.Column(name, type, true));
    }
    String list = String.join(", ", columns.stream().map(Source.Column::name).toList());
    return new From(
        Part.sorted("source", "(values ", Part.list(", ", rows), ") as ", alias, "(", list, ")"),
        List.of(new Source(alias, columns)));
  }

  private From joined(From left, From right, Optional<Scope> outer) {
    List<Source> both = new ArrayList<>(left.sources());
    both.addAll(right.sources());
    if (choices.chance(20)) {
      return new From(
          Part.sorted("source", left.part(), choices.oneOf(", ", " cross join "), right.part()),
          both);
    }
    String kind = choices.oneOf(" join ", " join ", " left join ", " right join ", " full join ");
    List<String> shared = shared(left, right);
    if (!shared.isEmpty() && choices.chance(20) && shared.size() == common(left, right)) {
      return merged(left, right, Part.of(" natural" + kind, right.part()), shared);
    }
    if (!shared.isEmpty() && choices.chance(35)) {
      return using(left, right, kind, shared);
    }
    Part on = queries.joinCondition(left.sources(), right.sources());
    return new From(Part.sorted("source", left.part(), kind, right.part(), " on ", on), both);
  }

  /** Names that each side has once, of columns of one type. */
  private static List<String> shared(From left, From right) {
    List<Source.Column> lefts = columns(left);
    List<Source.Column> rights = columns(right);
    return lefts.stream()
        .filter(column -> named(lefts, column.name()).size() == 1)
        .filter(
            column -> {
              List<Source.Column> others = named(rights, column.name());
              return others.size() == 1 && others.getFirst().type() == column.type();
            })
        .map(Source.Column::name)
        .toList();
  }

  private static List<Source.Column> columns(From from) {
    return from.sources().stream().flatMap(source -> source.columns().stream()).toList();
  }

  private static List<Source.Column> named(List<Source.Column> columns, String name) {
    return columns.stream()
        .filter(each -> Names.same(each.name()).equals(Names.same(name)))
        .toList();
  }

  private From using(From left, From right, String kind, List<String> shared) {
    List<String> chosen = choices.some(shared);
    Part joined = Part.of(kind, right.part(), " using (" + String.join(", ", chosen) + ")");
    return merged(left, right, joined, chosen);
  }

  /** Counts the names that both sides have. */
  private static long common(From left, From right) {
    return columns(left).stream()
        .map(column -> Names.same(column.name()))
        .distinct()
        .filter(name -> !named(columns(right), name).isEmpty())
        .count();
  }

  private From merged(From left, From right, Part joined, List<String> chosen) {
    List<Source.Column> merged =
        columns(left).stream().filter(each -> chosen.contains(each.name())).toList();
    List<Source> sources = new ArrayList<>();
    sources.add(new Source("", merged));
    left.sources().forEach(source -> sources.add(without(source, merged)));
    right.sources().forEach(source -> sources.add(without(source, merged)));
    return new From(Part.sorted("source", left.part(), joined), sources);
  }

  private static Source without(Source source, List<Source.Column> merged) {
    return new Source(
        source.alias(),
        source.columns().stream().filter(each -> named(merged, each.name()).isEmpty()).toList());
  }
}
