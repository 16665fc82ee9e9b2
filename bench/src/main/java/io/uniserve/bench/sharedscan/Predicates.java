package io.uniserve.bench.sharedscan;

import io.uniserve.tickets.Tickets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * Predicates that nobody could have known before: each compares a column with the value of some
 * ticket, so that few records pass, or most.
 */
final class Predicates {
  private final Random random;
  private final Tickets tickets;
  private final long bookings;
  private final List<Function<Map<String, Object>, String>> kinds =
      List.of(
          ticket -> is(ticket, "origin"),
          ticket -> is(ticket, "destination"),
          ticket -> is(ticket, "destination_state"),
          ticket -> is(ticket, "carrier"),
          ticket -> is(ticket, "class"),
          ticket -> is(ticket, "channel"),
          ticket -> is(ticket, "payment"),
          ticket -> is(ticket, "agency"),
          ticket -> from(ticket, "departure"),
          ticket -> from(ticket, "departure_time"),
          ticket -> "fare > " + ticket.get("fare"),
          ticket -> "distance <= " + ticket.get("distance"),
          ticket -> "agent >= " + ticket.get("agent"),
          ticket -> "bags = " + ticket.get("bags"),
          ticket -> "flight < " + ticket.get("flight"),
          ticket -> "last_name LIKE '" + ticket.get("last_name").toString().charAt(0) + "%'",
          ticket -> "NOT wheelchair",
          ticket -> "insured",
          ticket -> "diet IS NULL",
          ticket -> "tier IS NOT NULL");

  /**
   * @param bookings the number of bookings whose tickets the table has
   */
  Predicates(long seed, Tickets tickets, long bookings) {
    this.random = new Random(seed);
    this.tickets = tickets;
    this.bookings = bookings;
  }

  private static String is(Map<String, Object> ticket, String column) {
    return column + " = '" + ticket.get(column).toString().replace("'", "''") + "'";
  }

  private static String from(Map<String, Object> ticket, String column) {
    return column + " >= '" + ticket.get(column) + "'";
  }

  /** Returns a query of so many predicates of different columns. */
  String query(int count) {
    List<Function<Map<String, Object>, String>> shuffled = new ArrayList<>(kinds);
    Collections.shuffle(shuffled, random);
    List<String> where = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, Object> ticket = tickets.booking(random.nextLong(bookings)).getFirst();
      where.add(shuffled.get(i).apply(ticket));
    }
    return "SELECT count(*) FROM tickets WHERE " + String.join(" AND ", where);
  }
}
