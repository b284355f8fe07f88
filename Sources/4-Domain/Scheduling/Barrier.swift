internal import Time

/// A temporary block of all requests in a scope.
package struct Barrier: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The provider has specified the time of the next request, or the user's own daily limit has been used up. This applies to all work.
    case limit
    /// The provider demands payment. The user's own refreshes may check whether the payment has been made. Afterwards, a single request is
    /// sent first.
    case pause
  }

  var kind: Kind
  var until: Timestamp
}
