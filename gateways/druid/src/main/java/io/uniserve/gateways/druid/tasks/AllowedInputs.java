package io.uniserve.gateways.druid.tasks;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The directories and hosts that tasks may read from. There are none until an operator names them:
 * whoever may write to a table could otherwise read the files of a server and the web around it.
 *
 * @param directories the directories, with everything below them
 * @param hosts the hosts, by name or by name and port
 */
public record AllowedInputs(List<Path> directories, List<String> hosts) {
  /** The variable that names directories, with colons between them. */
  static final String DIRECTORIES = "UNISERVE_DRUID_DIRECTORIES";

  /** The variable that names hosts, with commas between them. */
  static final String HOSTS = "UNISERVE_DRUID_HOSTS";

  /** Copies the lists. */
  public AllowedInputs {
    directories = List.copyOf(directories);
    hosts = List.copyOf(hosts);
  }

  /** Returns what the variables of a process's environment allow. */
  public static AllowedInputs of(Map<String, String> environment) {
    return new AllowedInputs(
        parts(environment.get(DIRECTORIES), ":").map(Path::of).toList(),
        parts(environment.get(HOSTS), ",").map(each -> each.toLowerCase(Locale.ROOT)).toList());
  }

  private static Stream<String> parts(String text, String between) {
    return text == null
        ? Stream.of()
        : Stream.of(text.split(between)).map(String::strip).filter(each -> !each.isEmpty());
  }

  /**
   * Requires that a task may read this file; links are followed first.
   *
   * @throws UniserveException with {@link ErrorCode#FORBIDDEN}
   */
  void require(Path file) {
    if (directories.isEmpty()) {
      throw forbidden(
          "an inputSource of type 'local': no directory is allowed; name some in " + DIRECTORIES);
    }
    try {
      Path real = file.toRealPath();
      for (Path each : directories) {
        if (Files.isDirectory(each) && real.startsWith(each.toRealPath())) {
          return;
        }
      }
    } catch (IOException e) {
      throw UniserveException.invalid("there is no readable file '" + Excerpt.of(file) + "'");
    }
    throw forbidden("file '" + Excerpt.of(file) + "': it is in no directory of " + DIRECTORIES);
  }

  /**
   * Requires that a task may read from this address.
   *
   * @throws UniserveException with {@link ErrorCode#FORBIDDEN}
   */
  void require(URI address) {
    if (hosts.isEmpty()) {
      throw forbidden("an inputSource of type 'http': no host is allowed; name some in " + HOSTS);
    }
    String scheme = String.valueOf(address.getScheme());
    if (!(scheme.equals("http") || scheme.equals("https")) || address.getHost() == null) {
      throw UniserveException.invalid(
          "'" + Excerpt.of(address) + "' is no address that begins with http:// or https://");
    }
    String host = address.getHost().toLowerCase(Locale.ROOT);
    if (!hosts.contains(host) && !hosts.contains(host + ":" + address.getPort())) {
      throw forbidden("host '" + Excerpt.of(host) + "': it is not in " + HOSTS);
    }
  }

  private static UniserveException forbidden(String what) {
    return new UniserveException(ErrorCode.FORBIDDEN, what);
  }
}
