/**
 * The machines of servers of a cluster that follows its load (DPA §4.5): threads of this process,
 * or processes of this machine. Pods are a plug-in's.
 */
package io.uniserve.node.scaling;
