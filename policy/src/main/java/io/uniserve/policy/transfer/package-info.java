/** The choice of the servers that send copies to others, as a pure function. */
package io.uniserve.policy.transfer;
