/// Whether an account works, and what its user should know or do.
struct AccountCondition {
  enum Level: String {
    case good
    /// homeline does not refresh the account.
    case inactive
    /// The account does not work properly but may still recover, or works only until a known time.
    case warning
    /// The account does not work until the user does something.
    case bad
  }

  let level: Level
  /// What is wrong and what to do next, or what is happening; empty if there is nothing to report.
  let remark: String
}
