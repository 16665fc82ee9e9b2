package io.uniserve.tickets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TicketsTest {
  private static final int BOOKINGS = 20_000;

  private final List<Map<String, Object>> tickets =
      LongStream.range(0, BOOKINGS)
          .boxed()
          .flatMap(booking -> new Tickets(7).booking(booking).stream())
          .toList();

  @Test
  void aTicketHasAValueOrNoneOfEachOfThe47Columns() {
    assertThat(TicketTable.columns()).hasSize(47);
    assertThat(tickets)
        .allSatisfy(
            ticket -> assertThat(ticket.keySet()).isEqualTo(TicketTable.columns().keySet()));
  }

  @Test
  void noTwoBookingsHaveTheSameLocator() {
    assertThat(tickets.stream().map(ticket -> ticket.get("rloc")).collect(Collectors.toSet()))
        .hasSize(BOOKINGS);
  }

  @Test
  void aBookingIsTheSameWheneverItIsMade() {
    assertThat(new Tickets(7).booking(4711)).isEqualTo(new Tickets(7).booking(4711));
    assertThat(new Tickets(8).booking(4711)).isNotEqualTo(new Tickets(7).booking(4711));
  }

  @Test
  void airportsAreAsFrequentAsInTheSample() {
    double ofAtlanta =
        tickets.stream().filter(ticket -> "ATL".equals(ticket.get("origin"))).count();

    // 440 of the 6,630 flights of the sample depart from Atlanta.
    assertThat(ofAtlanta / tickets.size()).isBetween(0.058, 0.075);
  }
}
