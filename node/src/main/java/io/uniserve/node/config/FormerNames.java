package io.uniserve.node.config;

import java.util.Map;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The former names of keys and roles in a configuration file. They are still accepted. One warning
 * lists all that a file has.
 */
final class FormerNames {
  private static final Logger LOG = LoggerFactory.getLogger(FormerNames.class);

  private static final Map<String, String> KEYS =
      Map.of(
          "router", "controller",
          "router.listen", "controller.listen",
          "router.log", "controller.log",
          "router.timeout-millis", "controller.timeout-millis");

  private static final Map<String, String> ROLES = Map.of("router", "controller");

  private final StringJoiner found = new StringJoiner(", ");

  /**
   * Returns the present name of a key, which is the given one unless it is a former name.
   *
   * @param line the line where it stands, from 1
   */
  String key(String given, int line) {
    return renamed("key", given, KEYS, line);
  }

  /**
   * Returns the present name of a role, which is the given one unless it is a former name.
   *
   * @param line the line where it stands, from 1
   */
  String role(String given, int line) {
    return renamed("role", given, ROLES, line);
  }

  private String renamed(String kind, String given, Map<String, String> names, int line) {
    String now = names.get(given);
    if (now == null) {
      return given;
    }
    found.add(kind + " '" + given + "' in line " + line + " is now '" + now + "'");
    return now;
  }

  /**
   * Warns of the former names that were found, if there are any.
   *
   * @param file that has them
   */
  void warn(Object file) {
    if (found.length() > 0) {
      LOG.warn("{} has former names, which are still accepted: {}", file, found);
    }
  }
}
