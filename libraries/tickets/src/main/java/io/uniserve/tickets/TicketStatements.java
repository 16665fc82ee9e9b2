package io.uniserve.tickets;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Statements of SQL with predicates that nobody could have known before, over a table {@code
 * tickets}. Not safe for use by many threads.
 */
public final class TicketStatements {
  private static final List<String> FLAGS =
      List.of("wheelchair", "blind", "deaf", "unaccompanied", "infant", "pet", "oversize");
  private static final List<String> CLASSES = List.of("F", "C", "W", "Y");

  private final SplittableRandom random;
  private final long bookings;

  /**
   * @param bookings the number of bookings whose tickets the table has
   */
  public TicketStatements(long seed, long bookings) {
    this.random = new SplittableRandom(seed);
    this.bookings = bookings;
  }

  /** Returns the locator of some booking. */
  public String rloc() {
    return Tickets.rloc(random.nextLong(bookings));
  }

  /** Returns some class. */
  public String kind() {
    return CLASSES.get(random.nextInt(CLASSES.size()));
  }

  /** Returns the random numbers, for choices of others. */
  public SplittableRandom random() {
    return random;
  }

  /**
   * A query.
   *
   * @param kind the kind of what it asks for, for people
   * @param sql the statement
   */
  public record Question(String kind, String sql) {}

  /** Returns a query of up to four predicates. */
  public String query() {
    return question().sql();
  }

  /** Returns a query of up to four predicates, of one of five kinds. */
  public Question question() {
    Flights.Route route = Flights.SAMPLE.route(random);
    String day = Flights.SAMPLE.day(random).toString();
    String flag = FLAGS.get(random.nextInt(FLAGS.size()));
    return switch (random.nextInt(5)) {
      case 0 -> new Question("a booking", "SELECT * FROM tickets WHERE rloc = '" + rloc() + "'");
      case 1 -> new Question("who needs help", help(route, day, flag));
      case 2 -> new Question("fares to an airport", fares(route, day));
      case 3 -> new Question("names of an agency", names());
      default -> new Question("delays of a carrier", delays(route, flag));
    };
  }

  private String help(Flights.Route route, String day, String flag) {
    return "SELECT rloc, last_name, first_name, seat FROM tickets WHERE origin = '"
        + route.origin()
        + "' AND departure = '"
        + day
        + "' AND "
        + flag
        + " AND class = '"
        + kind()
        + "' LIMIT 100";
  }

  private String fares(Flights.Route route, String day) {
    return "SELECT count(*), sum(fare) FROM tickets WHERE destination = '"
        + route.destination()
        + "' AND departure >= '"
        + day
        + "' AND fare > "
        + (200 + random.nextInt(800))
        + " AND bags = "
        + random.nextInt(4);
  }

  private String names() {
    return "SELECT rloc, passenger, email FROM tickets WHERE last_name LIKE '"
        + (char) ('A' + random.nextInt(26))
        + "%' AND agency = 'US"
        + (100_000 + random.nextInt(4_000))
        + "' LIMIT 50";
  }

  private String delays(Flights.Route route, String flag) {
    return "SELECT count(*), max(delay) FROM tickets WHERE carrier = '"
        + route.carrier()
        + "' AND agent BETWEEN "
        + random.nextInt(10_000)
        + " AND "
        + (10_000 + random.nextInt(10_000))
        + " AND tier IN ('gold', 'platinum') AND "
        + flag;
  }

  /** Returns an update: of a booking, or of all tickets of a class from an airport to a state. */
  public String update() {
    if (random.nextBoolean()) {
      return "UPDATE tickets SET insured = TRUE WHERE rloc = '" + rloc() + "'";
    }
    Flights.Route route = Flights.SAMPLE.route(random);
    return cancellation(
        route.origin(),
        Flights.SAMPLE.day(random).toString(),
        kind(),
        Flights.SAMPLE.state(route.destination()));
  }

  /** Returns the update that cancels the tickets of a day and a class to a state. */
  public static String cancellation(String origin, String day, String kind, String state) {
    return "UPDATE tickets SET status = 'cancelled' WHERE origin = '"
        + origin
        + "' AND departure = '"
        + day
        + "' AND class = '"
        + kind
        + "' AND destination_state = '"
        + state
        + "'";
  }
}
