package io.uniserve.node.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tickets as they are known without the cluster. All changes of the demo only set flags, and no
 * predicate looks at a flag, so the order of changes does not matter. Used by one thread at a time.
 */
final class TicketModel {
  private static final class Ticket {
    private final long fareCents;
    private boolean cancelled;
    private boolean insured;

    private Ticket(Map<String, Object> values) {
      fareCents = Long.parseLong(((String) values.get("fare")).replace(".", ""));
      insured = (boolean) values.get("insured");
    }
  }

  /** The tickets by what all changes but those of a booking name. */
  private final Map<String, List<Ticket>> byDeparture = new HashMap<>();

  private final Map<String, List<Ticket>> byRloc = new HashMap<>();

  void add(Map<String, Object> values) {
    Ticket ticket = new Ticket(values);
    byDeparture
        .computeIfAbsent(
            departure(
                (String) values.get("origin"),
                (String) values.get("departure"),
                (String) values.get("class"),
                (String) values.get("destination_state")),
            key -> new ArrayList<>(2))
        .add(ticket);
    byRloc.computeIfAbsent((String) values.get("rloc"), key -> new ArrayList<>(2)).add(ticket);
  }

  private static String departure(String origin, String day, String kind, String state) {
    return origin + day + kind + state;
  }

  /** Cancels the tickets of an airport, a day and a class to a state. */
  void cancel(String origin, String day, String kind, String state) {
    byDeparture
        .getOrDefault(departure(origin, day, kind, state), List.of())
        .forEach(ticket -> ticket.cancelled = true);
  }

  /** Insures the tickets of a booking. */
  void insure(String rloc) {
    byRloc.getOrDefault(rloc, List.of()).forEach(ticket -> ticket.insured = true);
  }

  /** Returns the number of tickets. */
  long count() {
    return byRloc.values().stream().mapToLong(List::size).sum();
  }

  /** Returns how many tickets are cancelled. */
  long cancelled() {
    return byRloc.values().stream().flatMap(List::stream).filter(t -> t.cancelled).count();
  }

  /** Returns the sum of the fares of cancelled tickets, in hundredths. */
  long cancelledCents() {
    return byRloc.values().stream()
        .flatMap(List::stream)
        .filter(t -> t.cancelled)
        .mapToLong(t -> t.fareCents)
        .sum();
  }

  /** Returns how many tickets are insured. */
  long insured() {
    return byRloc.values().stream().flatMap(List::stream).filter(t -> t.insured).count();
  }
}
