package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import java.util.List;

/**
 * The messages that carry load to the coordinator, and from there to those who ask (DPA §4.4). None
 * of it is in the control log. A new coordinator knows nothing, and learns everything within one
 * report of every process, since its answers tell the processes that it is another.
 *
 * <p>Figures are means over a sliding window, and replace those reported before. So a report that
 * is lost or comes twice does no harm. A report has what has changed, within bounds; the rest
 * follows with the next.
 */
public sealed interface LoadMessage extends Message {
  /** The largest number of copies in one report. */
  int COPIES_MAX = 500;

  /** The largest number of query sets in one report. */
  int SETS_MAX = 200;

  /** The largest number of actors of a query set; larger sets are not reported. */
  int SET_ACTORS_MAX = 256;

  /**
   * A server's load. Answered by {@link LoadNoted}.
   *
   * @param server its name
   * @param incarnation the number of its life
   * @param figures the figures of the server as a whole
   * @param copies those whose figures have changed
   */
  @Name("ReportServer")
  record ReportServer(
      String server, long incarnation, ServerFigures figures, List<CopyFigures> copies)
      implements LoadMessage {}

  /**
   * The query sets of a client. Only a client knows which actors one query reads. Answered by
   * {@link LoadNoted}.
   *
   * @param reporter chosen at random by the client
   * @param sets those whose frequency has changed
   * @param othersPerSecond queries of sets that are not counted one by one
   */
  @Name("ReportQueries")
  record ReportQueries(String reporter, List<SetFigures> sets, double othersPerSecond)
      implements LoadMessage {}

  /**
   * The acknowledgement of a report.
   *
   * @param term the term of the coordinator; if it differs from that of the answer before,
   *     everything must be reported again
   */
  @Name("LoadNoted")
  record LoadNoted(long term) implements LoadMessage {}

  /** A request to the coordinator for all load. Answered by {@link Load}. */
  @Name("AskLoad")
  record AskLoad() implements LoadMessage {}

  /**
   * The load that the coordinator knows.
   *
   * @param servers every living server
   * @param actors the busiest actors, the busiest first
   * @param sets the most frequent query sets, the most frequent first
   * @param setsKnown the number of sets that it counts
   * @param othersPerSecond queries of other sets
   */
  @Name("Load")
  record Load(
      List<ServerLoad> servers,
      List<ActorLoad> actors,
      List<SetFigures> sets,
      int setsKnown,
      double othersPerSecond)
      implements LoadMessage {
    /** The largest number of actors in an answer. */
    public static final int ACTORS_MAX = 1_000;

    /** The largest number of query sets in an answer. */
    public static final int TOLD_SETS_MAX = 100;

    /** The load if nothing is known. */
    public static final Load NONE = new Load(List.of(), List.of(), List.of(), 0, 0);
  }

  /**
   * A living server.
   *
   * @param server its name
   * @param known true if the server has reported its load to this coordinator; otherwise the
   *     figures mean nothing
   * @param figures the figures of the server
   */
  record ServerLoad(String server, boolean known, ServerFigures figures) {}

  /**
   * An actor.
   *
   * @param actor the actor
   * @param load worker threads that its operators keep busy, all copies together
   * @param operatorsPerSecond the operators per second on all copies
   * @param usage the usage of one copy
   * @param copies the number of copies that it has
   */
  record ActorLoad(
      ActorId actor, double load, double operatorsPerSecond, Usage usage, int copies) {}

  /**
   * A server as a whole.
   *
   * @param utilization the share of its workers' time that was used, 0 to 1
   * @param workers the number of threads that run operators
   * @param usage the memory and disk that its actors occupy
   * @param slowMillis the 99th percentile of the duration of operators, waiting time included, in
   *     milliseconds; 0 if none ran
   */
  record ServerFigures(double utilization, int workers, Usage usage, double slowMillis) {
    /** The figures if nothing is known. */
    public static final ServerFigures NONE = new ServerFigures(0, 0, Usage.NONE, 0);
  }

  /**
   * One copy of an actor.
   *
   * @param actor the copy's
   * @param cost the cost of its operators in a second: CPU microseconds, or what its engine reports
   * @param busy worker threads that its operators kept busy, a mean
   * @param operatorsPerSecond the operators that ran per second
   * @param usage the memory and disk that it occupies
   */
  record CopyFigures(
      ActorId actor, double cost, double busy, double operatorsPerSecond, Usage usage) {}

  /**
   * Actors that one query reads together (PODP §3.1, a shard set s and its f_s).
   *
   * @param table the table's identity
   * @param actors their numbers, ascending
   * @param perSecond the number of such queries in a second; 0 if there are none any more
   */
  record SetFigures(long table, List<Integer> actors, double perSecond) {
    /** Copies the list. */
    public SetFigures {
      actors = List.copyOf(actors);
    }
  }
}
