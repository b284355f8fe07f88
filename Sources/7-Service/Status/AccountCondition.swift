/// Whether an account works, and what its user should know or do.
package struct AccountCondition {
  package enum Level: String {
    case good
    /// homeline does not refresh the account.
    case inactive
    /// The account does not work properly but may still recover, or works only until a known time.
    case warning
    /// The account does not work until the user does something.
    case bad
  }

  package let level: Level
  /// What is wrong and what to do next, or what is happening; empty if there is nothing to report.
  package let remark: String
}
