package io.uniserve.simulation.scenario.scale;

import io.uniserve.simulation.RunSettings;
import java.time.Duration;
import java.util.Locale;

/**
 * How large a run is.
 *
 * @param routers one, or three
 * @param servers the most that there are at a time, at the peak of the load
 * @param actors of the one table
 * @param minutes how long the day is; load has one night and two peaks however long it is
 */
public record ScaleSize(int routers, int servers, int actors, int minutes) {
  /** What CI plays. */
  public static final ScaleSize SMALL = new ScaleSize(3, 50, 500, 60);

  /** The least share of the servers that the cluster keeps at night. */
  private static final double SERVERS_MIN_SHARE = 0.6;

  /**
   * The same, if such a cluster can be.
   *
   * @throws IllegalArgumentException if not
   */
  public ScaleSize checked() {
    if (routers != 1 && routers != 3 || servers < 10 || actors < servers || minutes < 10) {
      throw new IllegalArgumentException(
          "a cluster of this scenario has 1 or 3 routers, at least 10 servers, an actor for each"
              + " and 10 minutes; not "
              + routers
              + ", "
              + servers
              + ", "
              + actors
              + " and "
              + minutes);
    }
    return this;
  }

  /** The same with so many routers. */
  public ScaleSize withRouters(int count) {
    return new ScaleSize(count, servers, actors, minutes);
  }

  /** The same with so many servers. */
  public ScaleSize withServers(int count) {
    return new ScaleSize(routers, count, actors, minutes);
  }

  /** The same with so many actors. */
  public ScaleSize withActors(int count) {
    return new ScaleSize(routers, servers, count, minutes);
  }

  /** The same with a day of so many hours. */
  public ScaleSize withHours(double count) {
    return new ScaleSize(routers, servers, actors, (int) Math.round(count * 60));
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
        .with("routers", routers)
        .with("servers", servers)
        .with("actors", actors)
        .with("minutes", minutes);
  }

  /** How few servers the cluster may have. */
  int serversMin() {
    return (int) Math.ceil(servers * SERVERS_MIN_SHARE);
  }

  /** How long the day is. */
  Duration day() {
    return Duration.ofMinutes(minutes);
  }

  /** What a person adds to the command to have the same size. */
  String options() {
    return this.equals(SMALL)
        ? ""
        : String.format(
            Locale.ROOT,
            " --routers %d --servers %d --actors %d --hours %s",
            routers,
            servers,
            actors,
            minutes / 60.0);
  }
}
