/** Words and figures for people. */
package io.uniserve.node.text;
