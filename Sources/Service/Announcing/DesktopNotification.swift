/// New posts as `notify-send(1)` shows them: how many, and of which account.
///
/// It takes what it shows as arguments, which every user of the machine can read in `/proc`. So nothing of a post may be among them, and
/// no name but the account's.
struct DesktopNotification {
  static let program = "notify-send"

  let summary: String

  init(ofPosts count: Int, account: String) {
    summary = "\(account): \(count) new \(count == 1 ? "post" : "posts")"
  }

  var arguments: [String] { ["--app-name=homeline", "--", summary] }
}
