/** Declared names of what travels and of what is stored. */
package io.uniserve.api.form;
