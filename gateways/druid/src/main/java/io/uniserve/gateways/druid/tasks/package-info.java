/**
 * Druid's ways of ingestion. {@link io.uniserve.gateways.druid.tasks.IndexTasks} runs tasks: what
 * is sent, where rows come from, and how tasks ended. {@link
 * io.uniserve.gateways.druid.tasks.Supervisors} has streams read topics of Kafka.
 */
package io.uniserve.gateways.druid.tasks;
