package io.uniserve.node.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The result of a command. */
record Ran(int status, String out, String err) {

  /** Runs a command of the program in this process. */
  static Ran program(String... arguments) {
    PrintStream formerOut = System.out;
    PrintStream formerErr = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
      int status = Program.run(arguments);
      return new Ran(
          status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(formerOut);
      System.setErr(formerErr);
    }
  }

  /** Runs one that talks to the cluster there. */
  static Ran at(String url, String... arguments) {
    return program(
        Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
  }
}
