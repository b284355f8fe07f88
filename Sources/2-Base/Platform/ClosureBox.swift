/// A closure stored in a ``Locked``.
///
/// Generic storage uses a different calling convention. Without this wrapper, each access would add a reabstraction thunk; the thunks would
/// leak memory and finally overflow the stack.
package struct ClosureBox<Body: Sendable>: Sendable {
  package let call: Body

  package init(_ body: Body) { call = body }
}
