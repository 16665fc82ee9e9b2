/** Streams: topics outside of the cluster that are read into tables, as cluster state has them. */
package io.uniserve.runtime.wire.stream;
