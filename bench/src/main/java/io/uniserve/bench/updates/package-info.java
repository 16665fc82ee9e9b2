/** What an update costs at each level, and how updates of several tables get along. */
package io.uniserve.bench.updates;
