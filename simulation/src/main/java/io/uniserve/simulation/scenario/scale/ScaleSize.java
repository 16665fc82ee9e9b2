package io.uniserve.simulation.scenario.scale;

import io.uniserve.simulation.RunSettings;
import java.time.Duration;
import java.util.Locale;

/**
 * The size of a run.
 *
 * @param controllers one, or three
 * @param servers the most at a time, at the peak of the load
 * @param actors the number of actors of the one table
 * @param minutes the length of the day; load has one night and two peaks, however long it is
 */
public record ScaleSize(int controllers, int servers, int actors, int minutes) {
  /** The size that CI plays. */
  public static final ScaleSize SMALL = new ScaleSize(3, 50, 500, 60);

  /** The least share of the servers that the cluster keeps at night. */
  private static final double SERVERS_MIN_SHARE = 0.6;

  /**
   * Returns the same size, if such a cluster is possible.
   *
   * @throws IllegalArgumentException if not
   */
  public ScaleSize checked() {
    if (controllers != 1 && controllers != 3 || servers < 10 || actors < servers || minutes < 10) {
      throw new IllegalArgumentException(
          "a cluster of this scenario has 1 or 3 controllers, at least 10 servers, an actor for"
              + " each and 10 minutes; not "
              + controllers
              + ", "
              + servers
              + ", "
              + actors
              + " and "
              + minutes);
    }
    return this;
  }

  /** Returns the same size with this many controllers. */
  public ScaleSize withControllers(int count) {
    return new ScaleSize(count, servers, actors, minutes);
  }

  /** Returns the same size with this many servers. */
  public ScaleSize withServers(int count) {
    return new ScaleSize(controllers, count, actors, minutes);
  }

  /** Returns the same size with this many actors. */
  public ScaleSize withActors(int count) {
    return new ScaleSize(controllers, servers, count, minutes);
  }

  /** Returns the same size with a day of this many hours. */
  public ScaleSize withHours(double count) {
    return new ScaleSize(controllers, servers, actors, (int) Math.round(count * 60));
  }

  static ScaleSize of(RunSettings settings) {
    return new ScaleSize(
            settings.number("routers"),
            settings.number("servers"),
            settings.number("actors"),
            settings.number("minutes"))
        .checked();
  }

  RunSettings settings() {
    return RunSettings.NONE
        .with("routers", controllers)
        .with("servers", servers)
        .with("actors", actors)
        .with("minutes", minutes);
  }

  /** Returns the fewest servers that the cluster may have. */
  int serversMin() {
    return (int) Math.ceil(servers * SERVERS_MIN_SHARE);
  }

  /** Returns the length of the day. */
  Duration day() {
    return Duration.ofMinutes(minutes);
  }

  /** Returns the options that a person adds to the command to have the same size. */
  String options() {
    return this.equals(SMALL)
        ? ""
        : String.format(
            Locale.ROOT,
            " --controllers %d --servers %d --actors %d --hours %s",
            controllers,
            servers,
            actors,
            minutes / 60.0);
  }
}
