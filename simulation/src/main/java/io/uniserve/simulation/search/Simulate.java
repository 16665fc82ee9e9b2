package io.uniserve.simulation.search;

import io.uniserve.api.error.UniserveException;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.scale.ScaleScenario;
import io.uniserve.simulation.scenario.scale.ScaleSize;
import io.uniserve.simulation.schedule.SimulationFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The command that plays a scenario. Exit status 0 if it holds with every seed, 1 if not, 2 if the
 * arguments cannot be understood.
 */
public final class Simulate {
  private static final String USAGE =
      """
      Usage: uniserve simulate [--scenario NAME] [--seed N] [--seeds COUNT | --minutes M] [--all]
                               [--controllers N] [--servers N] [--actors M] [--hours H]
                               [--trace] [--save FILE] [--runs DIRECTORY] [--shrink SECONDS]
             uniserve simulate --run FILE [--trace] [--runs DIRECTORY] [--shrink SECONDS]
        --scenario NAME  which scenario (default %s); one of: %s
        --seed N         the first seed (default 0)
        --seeds COUNT    how many seeds, one after another (default 1)
        --minutes M      play seeds until so much time is up
        --all            go on after a seed that fails
        --controllers N, --servers N, --actors M, --hours H
                         the size of scenario scale
        --trace          print what happens, as it happens
        --run FILE       play the run of a file
        --save FILE      write the run of the first seed to a file, and play it
        --runs DIRECTORY where failing runs are written (default %s)
        --shrink SECONDS for how long a failing run is made smaller (default %d; 0: not at all)
      """;

  private static final Path RUNS = Path.of("failed-runs");
  private static final long SHRINK_SECONDS = 60;

  private final PrintStream out;
  private final Totals totals = new Totals();
  private Scenario scenario = Scenarios.all().getFirst();
  private long seed;
  private long seeds = 1;
  private ScaleSize size = ScaleSize.SMALL;
  private boolean trace;
  private boolean all;
  private OptionalLong minutes = OptionalLong.empty();
  private Optional<Path> file = Optional.empty();
  private Optional<Path> save = Optional.empty();
  private Path runs = RUNS;
  private Duration shrinking = Duration.ofSeconds(SHRINK_SECONDS);

  /** The totals of all runs that ended without failure. */
  private static final class Totals {
    private long played;
    private long failed;
    private double seconds;
    private long faults;

    void add(Simulation.Outcome outcome) {
      seconds += outcome.seconds();
      faults += outcome.faults();
    }

    @Override
    public String toString() {
      return "%d of %d seeds fail; %.2f simulated hours, %d faults in the others"
          .formatted(failed, played, seconds / 3_600, faults);
    }
  }

  private Simulate(PrintStream out) {
    this.out = out;
  }

  /** Runs the program. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, arguments));
  }

  /** Returns the command with which a person sees a seed again. */
  static String command(String scenario, long seed) {
    return "./uniserve simulate --seed " + seed + " --scenario " + scenario;
  }

  /**
   * Plays as the arguments say.
   *
   * @param out receives the report
   * @return the exit status
   */
  public static int run(PrintStream out, String... arguments) {
    Simulate simulate = new Simulate(out);
    try {
      simulate.parse(new ArrayDeque<>(Arrays.asList(arguments)));
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      out.print(usage());
      return 2;
    }
    try {
      return simulate.play();
    } catch (IOException | IllegalArgumentException e) {
      out.println(UniserveException.reason(e));
      return 2;
    }
  }

  private static String usage() {
    return USAGE.formatted(
        Scenarios.all().getFirst().name(),
        String.join(", ", Scenarios.all().stream().map(Scenario::name).toList()),
        RUNS,
        SHRINK_SECONDS);
  }

  private void parse(Deque<String> arguments) {
    while (!arguments.isEmpty()) {
      String option = arguments.poll();
      switch (option) {
        case "--scenario" -> scenario = scenario(value(option, arguments));
        case "--seed" -> seed = number(option, value(option, arguments));
        case "--seeds" -> seeds = number(option, value(option, arguments));
        case "--minutes" -> minutes = OptionalLong.of(number(option, value(option, arguments)));
        case "--controllers" -> size = size.withControllers(count(option, arguments));
        case "--routers" -> {
          warnOfFormer(option, "--controllers");
          size = size.withControllers(count(option, arguments));
        }
        case "--servers" -> size = size.withServers(count(option, arguments));
        case "--actors" -> size = size.withActors(count(option, arguments));
        case "--hours" -> size = size.withHours(hours(option, arguments));
        case "--run" -> file = Optional.of(Path.of(value(option, arguments)));
        case "--save" -> save = Optional.of(Path.of(value(option, arguments)));
        case "--runs" -> runs = Path.of(value(option, arguments));
        case "--shrink" -> shrinking = Duration.ofSeconds(number(option, value(option, arguments)));
        case "--trace" -> trace = true;
        case "--all" -> all = true;
        case "--help" -> throw new IllegalArgumentException("Plays a simulated cluster.");
        default -> throw new IllegalArgumentException("unknown option '" + option + "'");
      }
    }
  }

  private static Scenario scenario(String given) {
    String name = Scenarios.present(given);
    if (!name.equals(given)) {
      warnOfFormer("scenario " + given, name);
    }
    return Scenarios.named(name);
  }

  private static void warnOfFormer(String given, String now) {
    System.err.println("uniserve: " + given + " is a former name of " + now);
  }

  private static int count(String option, Deque<String> arguments) {
    return Math.toIntExact(number(option, value(option, arguments)));
  }

  private static double hours(String option, Deque<String> arguments) {
    String value = value(option, arguments);
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not '" + value + "'", e);
    }
  }

  private static String value(String option, Deque<String> arguments) {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return arguments.poll();
  }

  private static long number(String option, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not '" + value + "'", e);
    }
  }

  private int play() throws IOException {
    scenario = sized(scenario);
    if (file.isPresent()) {
      Run run = Run.read(Files.readString(file.get()));
      scenario = sized(scenario(run.scenario()));
      requireKnown(run);
      play(run);
    } else {
      playSeeds();
    }
    return totals.failed == 0 ? 0 : 1;
  }

  /**
   * Returns a scenario with progress reports, if it is that of large clusters, which takes long.
   */
  private Scenario sized(Scenario chosen) {
    return chosen instanceof ScaleScenario
        ? new ScaleScenario(size.checked(), out::println)
        : chosen;
  }

  private void requireKnown(Run run) {
    List<String> known = scenario.processes(run);
    for (Fault fault : run.faults()) {
      if (!known.containsAll(fault.processes())) {
        throw new IllegalArgumentException(
            "'" + fault.line() + "' names a process that is none of " + known);
      }
    }
  }

  private void playSeeds() throws IOException {
    if (save.isPresent()) {
      Files.writeString(save.get(), scenario.plan(new Seed(seed)).text());
    }
    long end = System.nanoTime() + Duration.ofMinutes(minutes.orElse(0)).toNanos();
    long next = seed;
    while ((minutes.isPresent() ? System.nanoTime() < end : next < seed + seeds)
        && (totals.failed == 0 || all)) {
      play(scenario.plan(new Seed(next)));
      next++;
    }
    if (all || minutes.isPresent()) {
      out.println(totals);
    }
  }

  private void play(Run run) throws IOException {
    totals.played++;
    try {
      Simulation.Outcome outcome =
          Simulation.play(scenario, run, trace ? out::println : line -> {});
      totals.add(outcome);
      out.printf(
          "%s seed %d: %d steps, %.3f simulated seconds, %d faults, trace %016x%n",
          scenario.name(),
          run.seed(),
          outcome.steps(),
          outcome.seconds(),
          outcome.faults(),
          outcome.trace());
    } catch (FailedSeed e) {
      totals.failed++;
      out.println(e.getMessage());
      printOrigin(e.getCause());
      keep(e);
    }
  }

  /** Writes a failing run to a file, and a smaller one beside it. */
  private void keep(FailedSeed failed) throws IOException {
    String name = scenario.name() + "-" + failed.seed();
    Files.createDirectories(runs);
    Path whole = runs.resolve(name + ".run");
    Files.writeString(whole, failed.run().text());
    out.println("The run: " + command(whole));
    if (shrinking.isPositive()) {
      Shrinker shrinker = new Shrinker(scenario, failed, System::nanoTime, shrinking);
      FailedSeed small = shrinker.shrink();
      Path file = runs.resolve(name + "-small.run");
      Files.writeString(file, small.run().text());
      out.printf(
          "A smaller one, of %d faults instead of %d, found among %d: %s%n",
          small.run().faults().size(),
          failed.run().faults().size(),
          shrinker.tried(),
          command(file));
    }
  }

  private static String command(Path file) {
    return "./uniserve simulate --run " + file;
  }

  /** Prints the origin of a failure, unless its message already tells everything. */
  private void printOrigin(Throwable failure) {
    for (Throwable next = failure; next != null; next = next.getCause()) {
      if (!(next instanceof SimulationFailure)) {
        next.printStackTrace(out);
        return;
      }
    }
  }
}
