/** Assignments built from nothing, as bins are packed: Getafix and Druid's co-scan cost. */
package io.uniserve.policy.placement.packing;
