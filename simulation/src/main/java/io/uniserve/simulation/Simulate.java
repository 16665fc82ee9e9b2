package io.uniserve.simulation;

import io.uniserve.simulation.scenario.Scenarios;
import io.uniserve.simulation.schedule.SimulationFailure;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Plays a scenario from the command line. Exit status 0 if it holds with every seed, 1 if not, 2 if
 * the arguments cannot be understood.
 */
public final class Simulate {
  private static final String USAGE =
      """
      Usage: uniserve simulate [--scenario NAME] [--seed N] [--seeds COUNT] [--all] [--trace]
        --scenario NAME  which scenario (default %s); one of: %s
        --seed N         the first seed (default 0)
        --seeds COUNT    how many seeds, one after another (default 1)
        --all            go on after a seed that fails
        --trace          print what happens, as it happens
      """;

  private final PrintStream out;
  private Scenario scenario = Scenarios.all().getFirst();
  private long seed;
  private long seeds = 1;
  private boolean trace;
  private boolean all;

  private Simulate(PrintStream out) {
    this.out = out;
  }

  /** The program. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, arguments));
  }

  /** What a person types to see a seed again. */
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
    return simulate.play();
  }

  private static String usage() {
    return USAGE.formatted(
        Scenarios.all().getFirst().name(),
        String.join(", ", Scenarios.all().stream().map(Scenario::name).toList()));
  }

  private void parse(Deque<String> arguments) {
    while (!arguments.isEmpty()) {
      String option = arguments.poll();
      switch (option) {
        case "--scenario" -> scenario = Scenarios.named(value(option, arguments));
        case "--seed" -> seed = number(option, value(option, arguments));
        case "--seeds" -> seeds = number(option, value(option, arguments));
        case "--trace" -> trace = true;
        case "--all" -> all = true;
        case "--help" -> throw new IllegalArgumentException("Plays a simulated cluster.");
        default -> throw new IllegalArgumentException("unknown option '" + option + "'");
      }
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

  private int play() {
    int failures = 0;
    for (long next = seed; next < seed + seeds && (failures == 0 || all); next++) {
      if (!play(next)) {
        failures++;
      }
    }
    if (all) {
      out.println(failures + " of " + seeds + " seeds fail");
    }
    return failures == 0 ? 0 : 1;
  }

  private boolean play(long one) {
    try {
      Simulation.Outcome outcome =
          Simulation.play(scenario, one, trace ? out::println : line -> {});
      out.printf(
          "%s seed %d: %d steps, %.3f simulated seconds, trace %016x%n",
          scenario.name(), one, outcome.steps(), outcome.seconds(), outcome.trace());
      return true;
    } catch (FailedSeed e) {
      out.println(e.getMessage());
      printOrigin(e.getCause());
      return false;
    }
  }

  /** A message that tells everything need not be told again with the stack. */
  private void printOrigin(Throwable failure) {
    for (Throwable next = failure; next != null; next = next.getCause()) {
      if (!(next instanceof SimulationFailure)) {
        next.printStackTrace(out);
        return;
      }
    }
  }
}
