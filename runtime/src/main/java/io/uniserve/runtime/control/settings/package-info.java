/** Settings of the control nodes. */
package io.uniserve.runtime.control.settings;
