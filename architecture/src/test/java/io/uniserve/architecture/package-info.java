/**
 * Tests that hold the layout of the project: the arrows between its modules and between the parts
 * of the runtime, and what the simulator relies on.
 *
 * <dl>
 *   <dt>module
 *   <dd>a Maven module, named by its folder, such as {@code engines/search}
 *   <dt>arrow
 *   <dd>a dependency of the main classes of one module on another module
 *   <dt>part
 *   <dd>a package directly below {@code io.uniserve.runtime}, with everything in it
 * </dl>
 */
package io.uniserve.architecture;
