package io.uniserve.node.cli.option;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine.Option;

/** The options of the log, which is always on standard error. */
public final class LogOptions {
  /** The levels of the log. */
  enum Threshold {
    error,
    warn,
    info,
    debug,
    trace
  }

  /** The forms of log entries. */
  enum Format {
    text,
    json
  }

  @Option(
      names = "--log",
      paramLabel = "LEVEL",
      description = "What is logged on standard error: ${COMPLETION-CANDIDATES} (default: warn).",
      scope = picocli.CommandLine.ScopeType.INHERIT)
  private Threshold threshold = Threshold.warn;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "text, or json with one object a line (default: text).",
      scope = picocli.CommandLine.ScopeType.INHERIT)
  private Format format = Format.text;

  /** Returns whether stack traces are wanted. */
  public boolean debugging() {
    return threshold.ordinal() >= Threshold.debug.ordinal();
  }

  /** Returns whether more than warnings is wanted. */
  public boolean chatty() {
    return threshold.ordinal() > Threshold.warn.ordinal();
  }

  /** Logs only errors, as long as the options are unknown. */
  public static void begin() {
    install(Threshold.error, Format.text);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /**
   * Logs only errors of this program, and nothing of simulated processes, whose disks and machines
   * fail all the time.
   */
  public static void muteSimulated() {
    begin();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    for (String simulated : List.of("io.uniserve.runtime", "io.microraft")) {
      context.getLogger(simulated).setLevel(Level.OFF);
    }
  }

  public void apply() {
    install(threshold, format);
  }

  private static void install(Threshold threshold, Format format) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(format == Format.json ? json(context) : text(context));
    appender.addFilter(atLeast(threshold));
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.valueOf(threshold.name()));
    quieten(context, threshold);
    root.addAppender(appender);
  }

  /**
   * Returns a filter by level. While levels are set again everything is let through for a moment,
   * and may arrive later.
   */
  private static ThresholdFilter atLeast(Threshold threshold) {
    ThresholdFilter filter = new ThresholdFilter();
    filter.setLevel(threshold.name());
    filter.start();
    return filter;
  }

  /**
   * Sets the levels of libraries, which log much about themselves, and of Javalin's failures that
   * are answered otherwise. Debug logs of the network contain the headers of requests, and so
   * tokens: they are never written.
   */
  private static void quieten(LoggerContext context, Threshold threshold) {
    Level level = threshold == Threshold.trace ? Level.INFO : Level.WARN;
    for (String library : List.of("org.eclipse.jetty", "io.netty", "io.grpc", "org.apache")) {
      context.getLogger(library).setLevel(threshold == Threshold.error ? Level.ERROR : level);
    }
    for (String parser : List.of("http.HttpParser", "util.HostPort")) {
      // Requests of strangers must not fill the log.
      context.getLogger("org.eclipse.jetty." + parser).setLevel(Level.ERROR);
    }
    context.getLogger("io.javalin").setLevel(threshold == Threshold.trace ? level : Level.OFF);
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{20} %msg%n%ex");
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithSequenceNumber(false);
    encoder.start();
    return encoder;
  }
}
