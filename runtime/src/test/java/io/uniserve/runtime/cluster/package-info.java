/** Whole clusters in one process, over the in-process transport and real disks. */
package io.uniserve.runtime.cluster;
