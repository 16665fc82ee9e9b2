/** Lookups over HTTP, as Druid's coordinator has them. */
package io.uniserve.gateways.druid.lookups;
