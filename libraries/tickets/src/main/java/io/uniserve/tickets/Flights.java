package io.uniserve.tickets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The real flights of which tickets are made: how many there were of each kind. */
public final class Flights {
  /** The flights of the sample. */
  public static final Flights SAMPLE = read();

  /**
   * A route of one carrier.
   *
   * @param origin the airport of departure
   * @param destination the airport of arrival
   * @param carrier the airline
   * @param distance the distance in miles
   */
  public record Route(String origin, String destination, String carrier, int distance) {}

  private final List<Route> routes = new ArrayList<>();
  private final List<Integer> routeEnds = new ArrayList<>();
  private final List<LocalDate> days = new ArrayList<>();
  private final List<Integer> dayEnds = new ArrayList<>();
  private final List<Integer> hours = new ArrayList<>();
  private final List<Integer> hourEnds = new ArrayList<>();
  private final Map<String, String> states = new HashMap<>();
  private int[] delays = {};

  private Flights() {}

  private static Flights read() {
    Flights flights = new Flights();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Flights.class.getResourceAsStream("distributions.txt"), StandardCharsets.UTF_8))) {
      lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> flights.read(line));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return flights;
  }

  private void read(String line) {
    String[] parts = line.split("\t");
    switch (parts[0]) {
      case "airport" -> states.put(parts[1], parts[2]);
      case "route" -> {
        routes.add(new Route(parts[1], parts[2], parts[3], Integer.parseInt(parts[4])));
        add(routeEnds, parts[5]);
      }
      case "day" -> {
        days.add(LocalDate.parse(parts[1]));
        add(dayEnds, parts[2]);
      }
      case "hour" -> {
        hours.add(Integer.parseInt(parts[1]));
        add(hourEnds, parts[2]);
      }
      case "delays" ->
          delays =
              java.util.Arrays.stream(parts[1].split(",")).mapToInt(Integer::parseInt).toArray();
      default -> {
        // the share of cancelled flights is for people who read the file
      }
    }
  }

  private static void add(List<Integer> ends, String count) {
    ends.add((ends.isEmpty() ? 0 : ends.getLast()) + Integer.parseInt(count));
  }

  private static int drawn(List<Integer> ends, SplittableRandom random) {
    int place = java.util.Collections.binarySearch(ends, random.nextInt(ends.getLast()) + 1);
    return place >= 0 ? place : -place - 1;
  }

  /** Draws the route of a flight. */
  public Route route(SplittableRandom random) {
    return routes.get(drawn(routeEnds, random));
  }

  /** Draws the day of a flight. */
  public LocalDate day(SplittableRandom random) {
    return days.get(drawn(dayEnds, random));
  }

  /** Draws the hour of a departure, 0 to 23. */
  public int hour(SplittableRandom random) {
    return hours.get(drawn(hourEnds, random));
  }

  /** Draws the delay of a departure, in minutes; below zero if it is early. */
  public int delay(SplittableRandom random) {
    return delays[random.nextInt(delays.length)];
  }

  /** Returns the state of an airport, in two letters. */
  public String state(String airport) {
    return states.get(airport);
  }
}
