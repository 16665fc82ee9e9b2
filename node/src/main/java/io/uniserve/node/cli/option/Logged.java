package io.uniserve.node.cli.option;

/** A command that has the options of the log, for the commands below it. */
public interface Logged {
  LogOptions log();
}
