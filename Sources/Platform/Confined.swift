/// A value that belongs to one serial queue and is carried through a `@Sendable` closure that runs on that queue.
///
/// The one place where the project says so, instead of many classes: use it where a callback is delivered on the queue that the
/// value belongs to, and nowhere else.
// Sendable because the value is touched on its queue only; whoever makes one answers for that.
package struct Confined<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
