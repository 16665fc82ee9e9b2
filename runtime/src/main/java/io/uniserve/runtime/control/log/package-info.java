/**
 * The replicated control log: decisions, the state that they make, and sessions of those who ask.
 */
package io.uniserve.runtime.control.log;
