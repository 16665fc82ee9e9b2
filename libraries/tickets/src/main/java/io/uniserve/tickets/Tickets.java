package io.uniserve.tickets;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The generator. The tickets of a booking depend on the seed and the number of the booking alone,
 * so they can be made in any order.
 *
 * @param seed the seed
 */
public record Tickets(long seed) {
  private static final String SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  private static final int RLOC_LENGTH = 6;
  private static final long RLOCS = 2_176_782_336L;

  /** A number without a divisor in common with the number of locators, so that none comes twice. */
  private static final long SPREAD = 1_299_709_001L;

  private static final List<String> LAST =
      List.of(
          "SMITH",
          "JOHNSON",
          "WILLIAMS",
          "BROWN",
          "JONES",
          "GARCIA",
          "MILLER",
          "DAVIS",
          "RODRIGUEZ",
          "MARTINEZ",
          "HERNANDEZ",
          "LOPEZ",
          "GONZALEZ",
          "WILSON",
          "ANDERSON",
          "THOMAS",
          "TAYLOR",
          "MOORE",
          "JACKSON",
          "MARTIN",
          "LEE",
          "PEREZ",
          "THOMPSON",
          "WHITE",
          "UNTERBRUNNER",
          "VAN DER MEER-JANSSEN",
          "O'CONNOR",
          "NGUYEN",
          "KIM",
          "SCHNEIDER");
  private static final List<String> FIRST =
      List.of(
          "JAMES",
          "MARY",
          "ROBERT",
          "PATRICIA",
          "JOHN",
          "JENNIFER",
          "MICHAEL",
          "LINDA",
          "DAVID",
          "ELIZABETH",
          "WILLIAM",
          "BARBARA",
          "ALEXANDRA",
          "SUSAN",
          "JOSEPH",
          "JESSICA",
          "CHRISTOPHER",
          "SARAH",
          "CHARLES",
          "KAREN");
  private static final List<String> NATIONS =
      List.of("US", "US", "US", "US", "CA", "MX", "GB", "DE");
  private static final List<String> CHANNELS = List.of("web", "app", "agency", "desk", "phone");
  private static final List<String> DIETS =
      List.of("vegetarian", "vegan", "kosher", "halal", "gluten-free", "diabetic");
  private static final List<String> TIERS = List.of("blue", "silver", "gold", "platinum");
  private static final List<String> PAYMENTS = List.of("card", "invoice", "miles", "cash");

  /** Returns the locator of a booking. No two of the first two billion have the same. */
  public static String rloc(long booking) {
    long rest = Math.floorMod(booking * SPREAD, RLOCS);
    StringBuilder rloc = new StringBuilder(RLOC_LENGTH);
    for (int i = 0; i < RLOC_LENGTH; i++) {
      rloc.append(SYMBOLS.charAt((int) (rest % SYMBOLS.length())));
      rest /= SYMBOLS.length();
    }
    return rloc.toString();
  }

  /**
   * Returns the tickets of a booking, one to four, as values by column.
   *
   * @param booking its number, from 0
   */
  public List<Map<String, Object>> booking(long booking) {
    SplittableRandom random = new SplittableRandom(seed * 31 + booking * 0x9e3779b97f4a7c15L);
    Flights.Route route = Flights.SAMPLE.route(random);
    LocalDate departure = Flights.SAMPLE.day(random);
    int hour = Flights.SAMPLE.hour(random);
    String time = String.format(Locale.ROOT, "%02d:%02d:00", hour, random.nextInt(12) * 5);
    String lastName = drawn(LAST, random);
    boolean flown = departure.getDayOfMonth() <= 7;
    int count = 1 + Math.min(random.nextInt(4), random.nextInt(4));
    List<Map<String, Object>> tickets = new ArrayList<>(count);
    for (int passenger = 1; passenger <= count; passenger++) {
      Map<String, Object> ticket = new LinkedHashMap<>();
      ticket.put("rloc", rloc(booking));
      ticket.put("passenger", (long) passenger);
      ticket.put(
          "created",
          departure.minusDays(1 + random.nextInt(90))
              + String.format(
                  Locale.ROOT,
                  " %02d:%02d:%02d",
                  random.nextInt(24),
                  random.nextInt(60),
                  random.nextInt(60)));
      person(ticket, lastName, random);
      ticket.put("carrier", route.carrier());
      ticket.put("flight", (long) Math.floorMod(route.hashCode() + hour, 6000) + 1);
      ticket.put("origin", route.origin());
      ticket.put("origin_state", Flights.SAMPLE.state(route.origin()));
      ticket.put("destination", route.destination());
      ticket.put("destination_state", Flights.SAMPLE.state(route.destination()));
      ticket.put("departure", departure.toString());
      ticket.put("departure_time", time);
      ticket.put("distance", (long) route.distance());
      fare(ticket, route, random);
      services(ticket, random);
      ticket.put("status", flown ? "flown" : random.nextInt(100) < 7 ? "checked" : "open");
      ticket.put("delay", flown ? (Object) (long) Flights.SAMPLE.delay(random) : null);
      ticket.put("agency", "US" + (100_000 + random.nextInt(4_000)));
      ticket.put("agent", (long) random.nextInt(20_000));
      ticket.put("channel", drawn(CHANNELS, random));
      ticket.put(
          "remarks",
          random.nextInt(8) == 0
              ? "REF " + random.nextLong(1L << 40) + " CONFIRMED BY PHONE"
              : null);
      tickets.add(ticket);
    }
    return tickets;
  }

  private static String drawn(List<String> texts, SplittableRandom random) {
    return texts.get(random.nextInt(texts.size()));
  }

  private static boolean one(int in, SplittableRandom random) {
    return random.nextInt(in) == 0;
  }

  private static void person(Map<String, Object> ticket, String lastName, SplittableRandom random) {
    String firstName = drawn(FIRST, random);
    boolean frequent = one(3, random);
    ticket.put("last_name", lastName);
    ticket.put("first_name", firstName);
    ticket.put(
        "title", one(12, random) ? "CHD" : List.of("MR", "MRS", "MS", "DR").get(random.nextInt(4)));
    ticket.put(
        "born",
        one(20, random)
            ? null
            : LocalDate.of(1935, 1, 1).plusDays(random.nextInt(28_000)).toString());
    ticket.put("nationality", drawn(NATIONS, random));
    ticket.put(
        "phone",
        one(4, random) ? null : "+1-" + (2_000_000_000L + random.nextLong(7_999_999_999L)));
    ticket.put(
        "email",
        one(5, random)
            ? null
            : (firstName + "." + lastName.replaceAll("[^A-Z]", "") + random.nextInt(1000))
                    .toLowerCase(Locale.ROOT)
                + "@example.com");
    ticket.put(
        "frequent_flyer", frequent ? "FF" + (100_000_000L + random.nextLong(899_999_999L)) : null);
    ticket.put("tier", frequent ? TIERS.get(Math.min(random.nextInt(4), random.nextInt(4))) : null);
  }

  private static void fare(
      Map<String, Object> ticket, Flights.Route route, SplittableRandom random) {
    int place = random.nextInt(100);
    String kind = place < 2 ? "F" : place < 9 ? "C" : place < 18 ? "W" : "Y";
    int factor =
        switch (kind) {
          case "F" -> 6;
          case "C" -> 4;
          case "W" -> 2;
          default -> 1;
        };
    long cents = (4_000L + route.distance() * 11L + random.nextInt(9_000)) * factor;
    ticket.put("class", kind);
    ticket.put("booking_class", String.valueOf(SYMBOLS.charAt(random.nextInt(26))));
    ticket.put(
        "fare_basis", kind + (char) ('A' + random.nextInt(26)) + (10 + random.nextInt(89)) + "US");
    ticket.put(
        "seat",
        one(3, random) ? null : 1 + random.nextInt(40) + "" + (char) ('A' + random.nextInt(6)));
    ticket.put("fare", money(cents));
    ticket.put("tax", money(cents / 13));
    ticket.put("currency", one(25, random) ? "CAD" : "USD");
    ticket.put("payment", PAYMENTS.get(Math.min(random.nextInt(4), random.nextInt(4))));
    ticket.put("diet", one(12, random) ? drawn(DIETS, random) : null);
  }

  private static String money(long cents) {
    return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
  }

  private static void services(Map<String, Object> ticket, SplittableRandom random) {
    int bags = Math.min(random.nextInt(4), random.nextInt(4));
    ticket.put("bags", (long) bags);
    ticket.put("bag_kilos", bags == 0 ? null : (Object) (long) (bags * (8 + random.nextInt(16))));
    ticket.put("wheelchair", one(90, random));
    ticket.put("blind", one(900, random));
    ticket.put("deaf", one(700, random));
    ticket.put("unaccompanied", one(250, random));
    ticket.put("infant", one(60, random));
    ticket.put("pet", one(120, random));
    ticket.put("oversize", one(150, random));
    ticket.put("upgraded", one(40, random));
    ticket.put("insured", one(6, random));
  }
}
