/// A closure that is kept behind a ``Locked``.
///
/// Bare, it would be wrapped once more each time that it is borrowed there, since a generic place keeps functions in another form than
/// they are called in: a little memory for each time, and a stack that gets deeper until it ends.
package struct KeptClosure<Body: Sendable>: Sendable {
  package let call: Body

  package init(_ body: Body) { call = body }
}
