package io.uniserve.node.cli.cluster;

import io.uniserve.node.json.Settings;
import io.uniserve.node.text.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A ring of servers as text. Each row is a range of keys, in the order of the ring, and each column
 * a server, so the copies on an owner and its successors are a band from the upper left to the
 * lower right.
 */
final class RingPicture {
  private static final int ENDED_SHOWN = 5;

  private final Map<String, Object> ring;
  private final List<String> servers = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  /**
   * @param ring the answer of the cluster
   */
  RingPicture(Map<String, Object> ring) {
    this.ring = ring;
  }

  List<String> lines() {
    Settings whole = new Settings("the ring", ring);
    List<?> members = whole.list("members");
    lines.add(
        "Ring of table "
            + whole.text("table", "")
            + ": "
            + Figures.plural(members.size(), "server")
            + ", "
            + whole.integer("copies", 0)
            + " copies of each range");
    members.forEach(member -> addServer(Settings.object("a server", member)));
    List<Map<String, Object>> ranges =
        whole.list("ranges").stream().map(range -> Settings.object("a range", range)).toList();
    for (Map<String, Object> range : ranges) {
      Settings.object("copies", range.get("copies")).keySet().stream()
          .filter(server -> !servers.contains(server))
          .forEach(servers::add);
    }
    table(ranges);
    lines.add("");
    lines.add("● leads   ○ holds   ◌ is being made   × answers its last reads");
    for (Object member : members) {
      Map<String, Object> one = Settings.object("a server", member);
      if (Boolean.FALSE.equals(one.get("alive"))) {
        lines.add("Server " + one.get("server") + " is away");
      }
    }
    changes(whole);
    return lines;
  }

  private void addServer(Map<String, Object> member) {
    servers.add(String.valueOf(member.get("server")));
  }

  private void table(List<Map<String, Object>> ranges) {
    int from =
        width("FROM", ranges.stream().map(range -> String.valueOf(range.get("from"))).toList());
    int owner = width("OWNER", servers);
    StringBuilder head = new StringBuilder("     " + padded("FROM", from) + padded("OWNER", owner));
    servers.forEach(server -> head.append(padded(server, server.length() + 2)));
    lines.add(head + "ACTOR");
    for (int i = 0; i < ranges.size(); i++) {
      Map<String, Object> range = ranges.get(i);
      String edge = i == 0 ? " ╭─▶ " : i == ranges.size() - 1 ? " ╰── " : " │   ";
      StringBuilder row =
          new StringBuilder(ranges.size() == 1 ? "     " : edge)
              .append(padded(text(range, "from"), from))
              .append(padded(text(range, "owner"), owner));
      Map<String, Object> copies = Settings.object("copies", range.get("copies"));
      for (String server : servers) {
        boolean leads = server.equals(range.get("primary"));
        row.append(padded(mark(copies.get(server), leads), server.length() + 2));
      }
      lines.add(row + text(range, "actor"));
    }
  }

  private static int width(String title, List<String> cells) {
    int most = cells.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(most, title.length()) + 2;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String text(Map<String, Object> range, String name) {
    return String.valueOf(range.get(name));
  }

  private static String mark(Object status, boolean leads) {
    if (status == null) {
      return "";
    }
    return switch (status.toString()) {
      case "ready" -> leads ? "●" : "○";
      case "retiring" -> "×";
      default -> "◌";
    };
  }

  private void changes(Settings whole) {
    List<?> queue = whole.list("queue");
    if (!queue.isEmpty()) {
      lines.add("");
    }
    for (Object waiting : queue) {
      Map<String, Object> change = Settings.object("a change", waiting);
      boolean underWay = Boolean.TRUE.equals(change.get("underWay"));
      lines.add(
          "Change "
              + change.get("number")
              + (underWay ? " is under way: " : " waits: ")
              + change.get("change"));
    }
    List<?> ended = whole.list("ended");
    if (!ended.isEmpty()) {
      lines.add("");
    }
    for (Object past : ended.subList(Math.max(0, ended.size() - ENDED_SHOWN), ended.size())) {
      Map<String, Object> change = Settings.object("a change", past);
      boolean done = Boolean.TRUE.equals(change.get("done"));
      lines.add(
          "Change "
              + change.get("number")
              + (done ? " is made: " : " is not made: ")
              + change.get("change")
              + (done ? "" : "; " + change.get("why")));
    }
  }
}
