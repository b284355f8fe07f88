/// What a job of an account is for. Of jobs that wait, one of an earlier class goes first; within a class the one asked for first.
package enum JobClass: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// A leg of a login, or a logout: somebody sits in front of it, and the token that it brings is what all others need.
  case login
  /// A refresh that the user asked for.
  case userRefresh
  /// A refresh that is due.
  case schedule
  /// One page of a gap, or of older posts.
  case filling
  /// Pictures and films.
  case media

  package static func < (left: JobClass, right: JobClass) -> Bool { left.rawValue < right.rawValue }
}
