/**
 * Servers that are pods of a StatefulSet: its replicas follow what the cluster wants (DPA §4.5). A
 * <em>replica</em> is a pod here, which is a server; its number is the pod's ordinal.
 */
package io.uniserve.providers.kubernetes;
