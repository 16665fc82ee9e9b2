package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ScalingPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The policies that can be chosen by a text, which is also stored:
 *
 * <ul>
 *   <li>{@code utilisation:0.3-0.7}, {@code latency:200ms}, both perhaps with {@code
 *       ,grow-after=30s}, {@code ,shrink-after=5m} and {@code ,cool-down=1m};
 *   <li>{@code schedule:mon-fri 08:00-18:00=6; else=2};
 *   <li>{@code own:NAME}, a policy of a developer.
 * </ul>
 */
public final class ScalingPolicies {
  /** The policies without any of a developer. */
  public static final ScalingPolicies STANDARD = new ScalingPolicies(List.of());

  private static final int LENGTH_MAX = 4_000;
  private static final Pattern THRESHOLDS = Pattern.compile("(\\d(?:\\.\\d+)?)-(\\d(?:\\.\\d+)?)");

  private final SortedMap<String, ScalingPolicy> own = new TreeMap<>();

  /**
   * Makes the policies.
   *
   * @param own policies of developers, each with another name
   */
  public ScalingPolicies(Collection<? extends ScalingPolicy> own) {
    for (ScalingPolicy policy : own) {
      if (this.own.put(policy.name(), policy) != null) {
        throw UniserveException.invalid("two scaling policies are named '" + policy.name() + "'");
      }
    }
  }

  /**
   * Returns the policy that a text describes.
   *
   * @throws UniserveException naming the part that is not understood
   */
  public ScalingPolicy parse(String text) {
    if (text.length() > LENGTH_MAX) {
      throw UniserveException.invalid("a scaling policy has at most 4000 characters");
    }
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    return switch (kind) {
      case "utilisation", "utilization" -> utilisation(text, rest.split(",", -1));
      case "latency" -> latency(rest.split(",", -1));
      case "schedule" -> ScheduleText.parse(rest);
      case "own" -> own(rest);
      default ->
          throw UniserveException.invalid(
              "there is no scaling policy '"
                  + kind
                  + "'; there are utilisation:LOW-HIGH, latency:SPAN, schedule:... and own:NAME");
    };
  }

  private static ScalingPolicy utilisation(String text, String[] parts) {
    Matcher thresholds = THRESHOLDS.matcher(parts[0]);
    if (!thresholds.matches()) {
      throw UniserveException.invalid(
          "scaling policy '" + text + "' must be like utilisation:0.3-0.7");
    }
    return new Utilisation(
        Double.parseDouble(thresholds.group(1)),
        Double.parseDouble(thresholds.group(2)),
        pace(parts));
  }

  private static ScalingPolicy latency(String[] parts) {
    return new TargetLatency(Spans.parse("the target latency", parts[0]), pace(parts));
  }

  private static Pace pace(String[] parts) {
    Map<String, Duration> given = new TreeMap<>();
    for (String part : List.of(parts).subList(1, parts.length)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals).strip();
      if (!List.of("grow-after", "shrink-after", "cool-down").contains(name)) {
        throw UniserveException.invalid(
            "a scaling policy has grow-after, shrink-after and cool-down, not '" + name + "'");
      }
      if (given.put(name, Spans.parse(name, part.substring(equals + 1).strip())) != null) {
        throw UniserveException.invalid("'" + name + "' is given twice");
      }
    }
    return new Pace(
        given.getOrDefault("grow-after", Pace.DEFAULT.growAfter()),
        given.getOrDefault("shrink-after", Pace.DEFAULT.shrinkAfter()),
        given.getOrDefault("cool-down", Pace.DEFAULT.coolDown()));
  }

  private ScalingPolicy own(String name) {
    return Optional.ofNullable(own.get(name))
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "there is no scaling policy of a developer named '"
                        + name
                        + "'; there are "
                        + own.keySet()));
  }
}
