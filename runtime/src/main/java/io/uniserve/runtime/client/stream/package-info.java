/** The reading of streams: sources, those who read, and the way of records into tables. */
package io.uniserve.runtime.client.stream;
