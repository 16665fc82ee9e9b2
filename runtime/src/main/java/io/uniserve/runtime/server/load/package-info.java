/** Load reports of a server. */
package io.uniserve.runtime.server.load;
