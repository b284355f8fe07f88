/// The number of writes to an account's storage, as known to a writer. If the current number is different, there has been another writer in
/// the meantime, and the store refuses the write.
package struct Revision: Sendable, Hashable {
  private let number: Int64

  package init(_ number: Int64) { self.number = number }
}
