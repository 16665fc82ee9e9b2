package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names that expressions may use at their place.
 *
 * @param sources the sources of the query that they are part of
 * @param grouped the expressions that the rows of the query are grouped by; empty if they are not
 * @param outer the scope of the query that the query is part of, if it may name that
 */
record Scope(List<Source> sources, Optional<List<Expression>> grouped, Optional<Scope> outer) {
  static Scope of(List<Source> sources, Optional<Scope> outer) {
    return new Scope(List.copyOf(sources), Optional.empty(), outer);
  }

  /** The same where each row stands for a group. */
  Scope groupedBy(List<Expression> keys) {
    return new Scope(sources, Optional.of(List.copyOf(keys)), outer);
  }

  /** Returns the expressions that can be named here without a sub-query. */
  List<Expression> names() {
    return grouped.orElseGet(this::columns);
  }

  /** Returns the expressions of outer queries that can be named here. */
  List<Expression> outerNames() {
    List<Expression> found = new ArrayList<>();
    Set<String> hiddenAliases = new HashSet<>();
    Set<String> hiddenNames = new HashSet<>();
    hide(this, hiddenAliases, hiddenNames);
    for (Optional<Scope> next = outer; next.isPresent(); next = next.get().outer) {
      Scope scope = next.get();
      if (scope.grouped.isEmpty()) {
        found.addAll(scope.columns(hiddenAliases, hiddenNames));
      }
      hide(scope, hiddenAliases, hiddenNames);
    }
    return found;
  }

  private static void hide(Scope scope, Set<String> aliases, Set<String> names) {
    for (Source source : scope.sources) {
      aliases.add(Names.same(source.alias()));
      source.columns().forEach(column -> names.add(Names.same(column.name())));
    }
  }

  /** The columns of its sources, all of which tell its rows from each other but for equal ones. */
  List<Expression> columns() {
    return columns(Set.of(), Set.of());
  }

  /** Unqualified where nothing else has the name, and for want of an alias. */
  private List<Expression> columns(Set<String> hiddenAliases, Set<String> hiddenNames) {
    List<Expression> found = new ArrayList<>();
    for (Source source : sources) {
      for (Source.Column column : source.columns()) {
        String name = Names.same(column.name());
        boolean alone = count(name) == 1 && !hiddenNames.contains(name);
        // A column is taken for the table where it has its name.
        boolean short_ =
            alone
                && (source.alias().isEmpty()
                    || Math.floorMod(name.hashCode() + sources.size(), 3) > 0);
        if (short_) {
          found.add(named(column, column.name()));
        } else if (!source.alias().isEmpty()
            && !hiddenAliases.contains(Names.same(source.alias()))) {
          found.add(named(column, source.alias() + "." + column.name()));
        }
      }
    }
    return found;
  }

  private static Expression named(Source.Column column, String text) {
    return new Expression(column.type(), column.exact(), Part.sorted(column.type().sort(), text));
  }

  private long count(String name) {
    return sources.stream()
        .flatMap(source -> source.columns().stream())
        .filter(column -> Names.same(column.name()).equals(name))
        .count();
  }

  /** The names of its columns. */
  Set<String> columnNames() {
    return sources.stream()
        .flatMap(source -> source.columns().stream())
        .map(column -> Names.same(column.name()))
        .collect(Collectors.toSet());
  }

  Stream<Expression> ofType(Type type) {
    return names().stream().filter(each -> each.type() == type);
  }
}
