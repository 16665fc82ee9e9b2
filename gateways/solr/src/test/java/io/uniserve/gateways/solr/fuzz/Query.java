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

  /** Returns the text of the query where it stands alone. */
  String text();

  boolean matches(Doc doc, Reading reading);

  /**
   * Returns whether nothing is left of it after analysis. It is then ignored among other clauses,
   * and finds nothing alone.
   */
  default boolean absent(Reading reading) {
    return false;
  }

  /** Queries that are simpler, for the search of the smallest that fails. */
  default List<Query> simpler() {
    return List.of();
  }

  /** Returns the text of the query among others. */
  default String part() {
    return text();
  }

  /** Returns whether it has local parameters, which must come first. */
  default boolean alone() {
    return false;
  }

  /**
   * The reading of a query.
   *
   * @param defaults the fields in which words without a field are searched
   * @param all true if clauses without an operator must match
   */
  record Reading(List<Field> defaults, boolean all) {}

  /**
   * A search in one field, or in the default fields.
   *
   * @param field the field; empty for the default fields
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

  /** The operator between a clause and the one before. */
  enum Joined {
    NOT_AT_ALL(" "),
    AND(" AND "),
    OR(" OR ");

    private final String text;

    Joined(String text) {
      this.text = text;
    }
  }

  /** The role of a clause. */
  enum Role {
    OPTIONAL,
    REQUIRED,
    PROHIBITED
  }

  /**
   * A clause.
   *
   * @param mark the mark that is written before it
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

    /** Returns whether a document matches, with at least a number of the optional clauses. */
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

  /** Makes a query that matches documents of all these queries. */
  static Query and(Query... queries) {
    return new Clauses(
        Arrays.stream(queries).map(each -> new Clause(Joined.AND, "", each)).toList());
  }
}
