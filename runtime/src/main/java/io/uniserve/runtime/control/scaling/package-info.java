/** The size of the cluster and the machines that it has. */
package io.uniserve.runtime.control.scaling;
