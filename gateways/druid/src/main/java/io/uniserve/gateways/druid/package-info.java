/**
 * The gateway of Druid's HTTP protocols: native queries in JSON, and Druid SQL.
 *
 * <p>Nothing of Druid is loaded before the first request.
 */
package io.uniserve.gateways.druid;
