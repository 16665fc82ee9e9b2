/** How long placement policies take for large clusters, and how good their answers are. */
package io.uniserve.bench.placement;
