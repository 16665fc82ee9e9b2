package io.uniserve.node.http.api;

import io.javalin.http.Context;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.text.NearestName;
import io.uniserve.surfaces.Parameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters that requests to the JSON interface may have. A parameter without a meaning for
 * the request is refused, since its sender believes that it does something; so is one with two
 * values.
 */
public final class KnownParameters {
  private static final List<String> OF_CHANGES = List.of("timeoutMillis");
  private static final List<String> OF_RECORDS =
      List.of("timeoutMillis", "acknowledge", "visible", "skipBad");

  private KnownParameters() {}

  public static void check(Context context) {
    Optional<List<String>> known = known(context.method().name(), context.path());
    Map<String, List<String>> given = new Parameters().addQuery(context.queryString()).values();
    for (Map.Entry<String, List<String>> parameter : given.entrySet()) {
      String name = parameter.getKey();
      known
          .filter(names -> !names.contains(name))
          .ifPresent(
              names -> {
                throw UniserveException.invalid(
                    "unknown parameter '" + Excerpt.of(name) + "'" + NearestName.hint(name, names));
              });
      if (parameter.getValue().stream().distinct().count() != 1) {
        throw UniserveException.invalid(
            "parameter '" + Excerpt.of(name) + "' is given with several values");
      }
    }
  }

  /** Returns the permitted parameters; empty if the engine of the table decides them. */
  private static Optional<List<String>> known(String method, String path) {
    boolean reads = method.equals("GET") || method.equals("HEAD");
    if (path.matches("/api/tables/[^/]+/query/?")) {
      return reads ? Optional.empty() : Optional.of(OF_CHANGES);
    }
    if (path.matches("/api/tables/[^/]+/scan/?")) {
      return Optional.of(reads ? ScanApi.PARAMETERS : List.of());
    }
    if (path.matches("/api/tables/[^/]+/records/?")) {
      return Optional.of(OF_RECORDS);
    }
    if (path.matches(OrderedApi.STREAMS)) {
      return Optional.of(reads ? List.of() : OrderedApi.PARAMETERS);
    }
    boolean waits = !reads && !path.equals(SessionApi.PATH);
    return Optional.of(waits ? OF_CHANGES : List.of());
  }
}
