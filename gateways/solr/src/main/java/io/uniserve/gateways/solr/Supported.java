package io.uniserve.gateways.solr;

import io.uniserve.surfaces.ParameterForms;

/** The supported parameters of Solr, which files of this package list. */
final class Supported {
  static final ParameterForms SEARCH = read("search.parameters");
  static final ParameterForms EXPORT = read("export.parameters");
  static final ParameterForms UPDATE = read("update.parameters");
  static final ParameterForms LOCAL = read("local.parameters");
  static final ParameterForms PING = read("ping.parameters");

  private Supported() {}

  private static ParameterForms read(String file) {
    return ParameterForms.read(Supported.class.getResourceAsStream(file));
  }
}
