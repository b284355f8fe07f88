package import Storage
package import Timeline

/// The request that is allowed now, and the amount reserved for it.
package enum PageBudget {
  /// A page of at most this many posts, and its reservation; `nil` if requests neither cost money nor count against a quota.
  case page(count: Int, Reservation?)
  case refused(Problem)
}
