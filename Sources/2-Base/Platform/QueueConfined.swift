/// A value that belongs to one serial queue and is carried through a `@Sendable` closure that runs on that queue.
///
/// Use it only where a callback is delivered on the queue that the value belongs to. This type makes that guarantee in one place, so that
/// other classes need not be `@unchecked Sendable`.
// Sendable because the value is used only on its queue. The creator is responsible for this.
package struct QueueConfined<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
