/** Topics of Kafka as sources of streams. */
package io.uniserve.streams.kafka;
