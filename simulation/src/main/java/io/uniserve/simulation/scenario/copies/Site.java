package io.uniserve.simulation.scenario.copies;

import java.util.List;

/** The two clusters. The processes of both have the same names and addresses, each at its site. */
enum Site {
  ORIGINAL(""),
  COPY("copy-");

  private final String prefix;

  Site(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the simulator's name of a process, or of an address, at this site. */
  String at(String name) {
    return prefix + name;
  }

  /** Returns the simulator's names of processes at this site. */
  List<String> at(List<String> names) {
    return names.stream().map(this::at).toList();
  }

  Site other() {
    return this == ORIGINAL ? COPY : ORIGINAL;
  }
}
