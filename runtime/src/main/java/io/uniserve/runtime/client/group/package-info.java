/**
 * The serializable updates of a client that wait for the same actors, and become one transaction.
 *
 * <p>Terms: a <em>group</em> is several updates that are prepared in order and decided by one
 * record; its <em>leader</em> is the update whose thread carries it out; the others are its
 * <em>members</em>, as is the leader.
 */
package io.uniserve.runtime.client.group;
