internal import Scheduling

/// The purpose of a job. The cases are in order of urgency: waiting jobs of an earlier case run first.
///
/// `Work` is what the schedule plans and limits. Classes order all of an account's jobs, including those that the schedule does not plan,
/// such as logins, posts and pictures.
package enum JobClass: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// A step of a login, or a logout. A user is waiting for it, and all other jobs need the token that it obtains.
  case login
  /// A refresh requested by the user.
  case userRefresh
  /// A scheduled refresh that is due.
  case schedule
  /// A request for one page of a gap or of older posts.
  case filling
  /// Requests for pictures and videos.
  case media

  /// Returns the class of the schedule's work.
  init(_ work: Work) {
    switch work {
    case .user: self = .userRefresh
    case .renew, .refresh: self = .schedule
    case .fill: self = .filling
    }
  }

  package static func < (left: JobClass, right: JobClass) -> Bool { left.rawValue < right.rawValue }
}
