/// The result of a write, and the revision after it.
package struct Written<Value> {
  package let value: Value
  package let revision: Revision

  package init(_ value: Value, _ revision: Revision) {
    self.value = value
    self.revision = revision
  }
}

extension Written: Sendable where Value: Sendable {}
