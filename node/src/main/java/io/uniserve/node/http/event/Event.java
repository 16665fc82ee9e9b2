package io.uniserve.node.http.event;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One change of the cluster, or a failure in it, for people.
 *
 * @param version the version of cluster state after it
 * @param at the time at which this process heard of it
 * @param kind {@code founded}, {@code joined}, {@code failed}, {@code created}, {@code dropped},
 *     {@code copying}, {@code ready}, {@code unready}, {@code removed} or {@code promoted}; {@code
 *     trouble} and {@code mended} where a copy fails and where it fails no more, {@code unmade} for
 *     a table that could not be made
 * @param text a description of what happened
 * @param why the reason; empty if that is evident
 */
public record Event(long version, Instant at, String kind, String text, String why) {
  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", version);
    document.put("at", at.toString());
    document.put("kind", kind);
    document.put("text", text);
    document.put("why", why);
    return document;
  }
}
