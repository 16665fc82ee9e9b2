package io.uniserve.gateways.solr;

import io.uniserve.surfaces.ParameterForms;

/** The parameters of Solr that are understood. The files of this package list them. */
final class Supported {
  static final ParameterForms SEARCH = read("search.parameters");
  static final ParameterForms UPDATE = read("update.parameters");
  static final ParameterForms LOCAL = read("local.parameters");
  static final ParameterForms PING = read("ping.parameters");

  private Supported() {}

  private static ParameterForms read(String file) {
    return ParameterForms.read(Supported.class.getResourceAsStream(file));
  }
}
