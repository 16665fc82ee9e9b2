/** The engine of one copy of an actor: the actors it opens, what it is asked, what it answers. */
package io.uniserve.runtime.server.actor;
