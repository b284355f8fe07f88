/// The namespace of the command declarations.
package enum Command {}
