package io.uniserve.gateways.solr.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A query: its text, and which documents it means. */
sealed interface Query
    permits Query.Leaf,
        Query.All,
        Query.Within,
        Query.Boosted,
        Query.Clauses,
        Query.Exact,
        Query.Extended {

  /** As it is written where it stands alone. */
  String text();

  boolean matches(Doc doc, Reading reading);

  /** Whether nothing is left of it: it is left out among others, and alone finds nothing. */
  default boolean absent(Reading reading) {
    return false;
  }

  /** Queries that are simpler, for the search of the smallest that fails. */
  default List<Query> simpler() {
    return List.of();
  }

  /** As it is written among others. */
  default String part() {
    return text();
  }

  /** Whether it has local parameters, which stand before all else. */
  default boolean alone() {
    return false;
  }

  /**
   * How a query is read.
   *
   * @param defaults where words without a field are searched
   * @param all whether what has no operator must match
   */
  record Reading(List<Field> defaults, boolean all) {}

  /**
   * What is looked for in one field, or in the default fields.
   *
   * @param field where; empty for the default fields
   */
  record Leaf(Optional<Field> field, Sought sought) implements Query {
    @Override
    public String text() {
      return field.map(each -> each.name() + ":").orElse("") + sought.text();
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      List<Field> fields = field.map(List::of).orElse(reading.defaults);
      return fields.stream()
          .anyMatch(each -> !sought.absent(each) && sought.in(doc.of(each), each, reading.all));
    }

    @Override
    public boolean absent(Reading reading) {
      return field.map(List::of).orElse(reading.defaults).stream().allMatch(sought::absent);
    }
  }

  /** Every document. */
  record All(String text) implements Query {
    @Override
    public boolean matches(Doc doc, Reading reading) {
      return true;
    }
  }

  /** A query whose words are searched in a field. */
  record Within(Field field, Query query) implements Query {
    @Override
    public String text() {
      return field.name() + ":(" + query.text() + ")";
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      return query.matches(doc, new Reading(List.of(field), reading.all));
    }

    @Override
    public boolean absent(Reading reading) {
      return query.absent(new Reading(List.of(field), reading.all));
    }

    @Override
    public List<Query> simpler() {
      List<Query> simpler = new ArrayList<>(List.of(query));
      query.simpler().forEach(each -> simpler.add(new Within(field, each)));
      return simpler;
    }
  }

  /** A query that scores otherwise. */
  record Boosted(Query query, String boost) implements Query {
    @Override
    public String text() {
      return query.part() + "^" + boost;
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      return query.matches(doc, reading);
    }

    @Override
    public boolean absent(Reading reading) {
      return query.absent(reading);
    }

    @Override
    public List<Query> simpler() {
      return List.of(query);
    }
  }

  /** What stands between a clause and the one before. */
  enum Joined {
    NOT_AT_ALL(" "),
    AND(" AND "),
    OR(" OR ");

    private final String text;

    Joined(String text) {
      this.text = text;
    }
  }

  /** What part a clause plays. */
  enum Role {
    OPTIONAL,
    REQUIRED,
    PROHIBITED
  }

  /**
   * A clause.
   *
   * @param mark what is written before it
   */
  record Clause(Joined joined, String mark, Query query) {}

  /** Clauses side by side. */
  record Clauses(List<Clause> clauses) implements Query {
    @Override
    public String text() {
      StringBuilder text = new StringBuilder();
      for (Clause each : clauses) {
        text.append(text.isEmpty() ? "" : each.joined.text).append(each.mark);
        text.append(each.query.part());
      }
      return text.toString();
    }

    @Override
    public String part() {
      return "(" + text() + ")";
    }

    /** The part that each clause plays that is not absent, by the rules of Lucene's language. */
    private Map<Clause, Role> roles(Reading reading) {
      Map<Clause, Role> roles = new IdentityHashMap<>();
      Clause before = null;
      for (Clause clause : clauses) {
        Joined joined = clause == clauses.getFirst() ? Joined.NOT_AT_ALL : clause.joined;
        if (before != null && roles.get(before) != Role.PROHIBITED) {
          if (joined == Joined.AND) {
            roles.put(before, Role.REQUIRED);
          } else if (joined == Joined.OR && reading.all) {
            roles.put(before, Role.OPTIONAL);
          }
        }
        boolean prohibited = clause.mark.equals("-") || clause.mark.equals("NOT ");
        boolean required =
            reading.all ? joined != Joined.OR : clause.mark.equals("+") || joined == Joined.AND;
        if (!clause.query.absent(reading)) {
          roles.put(
              clause, prohibited ? Role.PROHIBITED : required ? Role.REQUIRED : Role.OPTIONAL);
          before = clause;
        }
      }
      return roles;
    }

    int optional(Reading reading) {
      return Collections.frequency(roles(reading).values(), Role.OPTIONAL);
    }

    @Override
    public boolean absent(Reading reading) {
      return clauses.stream().allMatch(each -> each.query.absent(reading));
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      return matches(doc, reading, 0);
    }

    /** Whether a document matches, and at least so many of the optional clauses. */
    boolean matches(Doc doc, Reading reading, int atLeast) {
      Map<Clause, Role> roles = roles(reading);
      int optional = 0;
      for (Map.Entry<Clause, Role> each : roles.entrySet()) {
        boolean matches = each.getKey().query.matches(doc, reading);
        Role role = each.getValue();
        if (role == Role.REQUIRED && !matches || role == Role.PROHIBITED && matches) {
          return false;
        }
        optional += role == Role.OPTIONAL && matches ? 1 : 0;
      }
      boolean oneNeeded = roles.containsValue(Role.OPTIONAL) && !roles.containsValue(Role.REQUIRED);
      return !roles.isEmpty() && optional >= Math.max(atLeast, oneNeeded ? 1 : 0);
    }

    @Override
    public List<Query> simpler() {
      List<Query> simpler = new ArrayList<>();
      for (int i = 0; i < clauses.size(); i++) {
        Clause clause = clauses.get(i);
        simpler.add(clause.query);
        if (clauses.size() > 1) {
          List<Clause> fewer = new ArrayList<>(clauses);
          fewer.remove(i);
          simpler.add(new Clauses(fewer));
        }
        for (Query each : clause.query.simpler()) {
          List<Clause> changed = new ArrayList<>(clauses);
          changed.set(i, new Clause(clause.joined, clause.mark, each));
          simpler.add(new Clauses(changed));
        }
      }
      return simpler;
    }
  }

  /** A value of a field, whatever it is made of. */
  record Exact(Field field, String value) implements Query {
    @Override
    public String text() {
      return "{!term f=" + field.name() + "}" + value;
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      return new Sought.Phrase(value, 0).in(doc.of(field), field, false);
    }

    @Override
    public boolean alone() {
      return true;
    }
  }

  /** A query that is read by the other parser. */
  record Extended(List<Field> fields, boolean all, Query query) implements Query {
    @Override
    public String text() {
      String names = fields.stream().map(Field::name).collect(Collectors.joining(" "));
      return "{!edismax qf='" + names + "' q.op=" + (all ? "AND}" : "OR}") + query.text();
    }

    @Override
    public boolean matches(Doc doc, Reading reading) {
      return query.matches(doc, new Reading(fields, all));
    }

    @Override
    public boolean alone() {
      return true;
    }

    @Override
    public List<Query> simpler() {
      return query.simpler().stream().<Query>map(each -> new Extended(fields, all, each)).toList();
    }
  }

  /** A query that matches what another does not. */
  static Query not(Query query) {
    return new Clauses(List.of(new Clause(Joined.NOT_AT_ALL, "-", query)));
  }

  /** What matches all of these. */
  static Query and(Query... queries) {
    return new Clauses(
        Arrays.stream(queries).map(each -> new Clause(Joined.AND, "", each)).toList());
  }
}
