/**
 * The surfaces of the program over HTTP: the JSON interface below {@code /api}, metrics, the
 * console, and the gateways of the engines.
 */
package io.uniserve.node.http;
