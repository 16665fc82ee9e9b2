package io.uniserve.node.scaling;

import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The settings of servers that are processes of this machine.
 *
 * @param template the configuration of a server, in which <code>{name}</code>, <code>{number}
 *     </code> and <code>{port}</code> stand for its own
 * @param directory the directory of their configurations, logs and process numbers
 * @param firstPort the port of server 1; server n has the port n - 1 above
 * @param serversMax the number of ports
 * @param program the command that runs the program, without arguments
 */
public record ProcessSettings(
    Path template, Path directory, int firstPort, int serversMax, List<String> program) {

  /**
   * Reads the values of {@code scale.template}, {@code scale.directory} and {@code scale.ports}.
   *
   * @throws UniserveException naming a value that is missing or wrong
   */
  static ProcessSettings of(SortedMap<String, String> settings, List<String> program) {
    String ports = require(settings, "ports", "such as 7101-7164, one for each server");
    if (!ports.matches("[1-9][0-9]{0,4}-[1-9][0-9]{0,4}")) {
      throw UniserveException.invalid("'scale.ports' must be like 7101-7164, not '" + ports + "'");
    }
    int dash = ports.indexOf('-');
    int first = Integer.parseInt(ports.substring(0, dash));
    int last = Integer.parseInt(ports.substring(dash + 1));
    if (last < first || last > 65_535) {
      throw UniserveException.invalid("'scale.ports': there are no ports " + ports);
    }
    return new ProcessSettings(
        Path.of(require(settings, "template", "a configuration of the role server")),
        Path.of(require(settings, "directory", "the servers' configurations and logs go there")),
        first,
        last - first + 1,
        program);
  }

  private static String require(SortedMap<String, String> settings, String key, String what) {
    return Optional.ofNullable(settings.get(key))
        .orElseThrow(() -> UniserveException.invalid("'scale." + key + "' is missing; " + what));
  }
}
