package io.uniserve.node.cli;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.cluster.BackupCommand;
import io.uniserve.node.cli.cluster.BackupsCommand;
import io.uniserve.node.cli.cluster.CancelCommand;
import io.uniserve.node.cli.cluster.ControllerCommand;
import io.uniserve.node.cli.cluster.DrainCommand;
import io.uniserve.node.cli.cluster.ExportCommand;
import io.uniserve.node.cli.cluster.LoadCommand;
import io.uniserve.node.cli.cluster.MoveCommand;
import io.uniserve.node.cli.cluster.PlacementCommand;
import io.uniserve.node.cli.cluster.QueryCommand;
import io.uniserve.node.cli.cluster.RecoverCommand;
import io.uniserve.node.cli.cluster.RestoreCommand;
import io.uniserve.node.cli.cluster.RingCommand;
import io.uniserve.node.cli.cluster.ScaleCommand;
import io.uniserve.node.cli.cluster.SessionCommand;
import io.uniserve.node.cli.cluster.StatusCommand;
import io.uniserve.node.cli.cluster.StreamCommand;
import io.uniserve.node.cli.cluster.TableCommand;
import io.uniserve.node.cli.cluster.UndrainCommand;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cli.option.LogOptions;
import io.uniserve.node.cli.option.Logged;
import io.uniserve.node.cli.process.BenchCommand;
import io.uniserve.node.cli.process.DemoCommand;
import io.uniserve.node.cli.process.FigureCommand;
import io.uniserve.node.cli.process.NodeCommand;
import io.uniserve.node.cli.process.SimulateCommand;
import io.uniserve.node.cli.process.StartCommand;
import io.uniserve.node.cli.process.TokenCommand;
import io.uniserve.node.cli.sql.SqlCommand;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command line. A command's exit status is 0 for success, 1 for a failure, and 2 for wrong
 * usage; a failure is one line on standard error.
 */
@Command(
    name = "uniserve",
    description = "Serves queries from a cluster of single-node engines.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Program.Version.class,
    footer = {
      "",
      "uniserve COMMAND --help explains a command.",
      "Exit status: 0 success, 1 failure, 2 wrong usage."
    })
public final class Program implements Logged {
  private static final Logger LOG = LoggerFactory.getLogger(Program.class);
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          StartCommand.class,
          NodeCommand.class,
          TableCommand.class,
          ControllerCommand.class,
          LoadCommand.class,
          SessionCommand.class,
          ExportCommand.class,
          QueryCommand.class,
          SqlCommand.class,
          StatusCommand.class,
          BackupCommand.class,
          BackupsCommand.class,
          RestoreCommand.class,
          RecoverCommand.class,
          MoveCommand.class,
          CancelCommand.class,
          DrainCommand.class,
          UndrainCommand.class,
          ScaleCommand.class,
          PlacementCommand.class,
          RingCommand.class,
          StreamCommand.class,
          TokenCommand.class,
          BenchCommand.class,
          SimulateCommand.class,
          FigureCommand.class);

  private static final String CONTROLLER = "controller";
  private static final String FORMER_CONTROLLER = "router";

  /** The character that Java puts for each one that it could not read. */
  private static final char REPLACEMENT = '\uFFFD';

  @Mixin private HelpOption help;
  @Mixin private LogOptions log;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Shows the version.")
  private boolean version;

  private Program() {}

  /** Runs the command that the arguments name; returns its exit status. */
  public static int run(String... arguments) {
    LogOptions.begin();
    for (String argument : arguments) {
      if (argument.indexOf(REPLACEMENT) >= 0) {
        System.err.println(
            "uniserve: '%s' has characters that the locale of this shell does not have; set LC_ALL=C.UTF-8"
                .formatted(Excerpt.of(argument)));
        return CommandLine.ExitCode.USAGE;
      }
    }
    Program program = new Program();
    CommandLine line = new CommandLine(program);
    commandsFor(arguments).forEach(line::addSubcommand);
    acceptFormerNames(line);
    line.setParameterExceptionHandler((e, given) -> program.misused(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> program.failed(e));
    line.setExecutionStrategy(program::execute);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line.execute(arguments);
  }

  /**
   * Returns the command that the first argument names, or all if it names none. There are many, and
   * to make them all takes longer than most of them run.
   */
  static List<Class<?>> commandsFor(String... arguments) {
    List<Class<?>> named =
        COMMANDS.stream()
            .filter(type -> arguments.length > 0 && present(arguments[0]).equals(nameOf(type)))
            .toList();
    return named.isEmpty() ? COMMANDS : named;
  }

  private static String present(String command) {
    return command.equals(FORMER_CONTROLLER) ? CONTROLLER : command;
  }

  /** Adds a hidden command of the former name, which warns and does the same. */
  private static void acceptFormerNames(CommandLine line) {
    if (line.getSubcommands().containsKey(CONTROLLER)) {
      CommandLine former = new CommandLine(ControllerCommand.class);
      former.getCommandSpec().name(FORMER_CONTROLLER).usageMessage().hidden(true);
      line.addSubcommand(FORMER_CONTROLLER, former);
    }
  }

  private static void warnOfFormerNames(ParseResult parsed) {
    if (parsed.hasSubcommand()
        && parsed.subcommand().commandSpec().name().equals(FORMER_CONTROLLER)) {
      System.err.println(
          "uniserve: command " + FORMER_CONTROLLER + " is a former name of " + CONTROLLER);
    }
  }

  private static String nameOf(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  @Override
  public LogOptions log() {
    return log;
  }

  private int execute(ParseResult parsed) {
    log.apply();
    warnOfFormerNames(parsed);
    return new CommandLine.RunLast().execute(parsed);
  }

  private int misused(ParameterException e) {
    CommandLine command = e.getCommandLine();
    command.getErr().println("uniserve: " + UniserveException.invalid(problem(e)).getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  /**
   * Returns the problem in plain words. The library describes an unknown command as an argument
   * that does not match.
   */
  private static String problem(ParameterException e) {
    boolean ofTheProgram = e.getCommandLine().getParent() == null;
    return ofTheProgram
            && e instanceof CommandLine.UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
        ? "there is no command '" + unmatched.getUnmatched().getFirst() + "'"
        : e.getMessage();
  }

  private int failed(Exception e) {
    UniserveException failure = UniserveException.of(e);
    boolean defect = failure.code() == ErrorCode.INTERNAL;
    String hint = defect && !log.debugging() ? " (--log debug shows where)" : "";
    System.err.println("uniserve: " + failure.getMessage().lines().findFirst().orElse("") + hint);
    LOG.debug("the command failed", e);
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The version, read from the manifest of the distribution. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Program.class.getPackage().getImplementationVersion();
      return new String[] {"uniserve " + (version == null ? "(not packaged)" : version)};
    }
  }
}
