/** The load of the cluster, as servers report it. */
package io.uniserve.runtime.control.load;
