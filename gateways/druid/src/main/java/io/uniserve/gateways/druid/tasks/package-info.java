/** Druid's tasks of ingestion: what is sent, where rows come from, and how tasks ended. */
package io.uniserve.gateways.druid.tasks;
