internal import Posting
internal import Settings
internal import Storage
internal import Time

/// Reports the posts that wait in the outboxes, until when, and why.
struct OutboxCheck: DiagnosticCheck {
  let name = "outbox"
  let isQuick = true

  func findings(in context: DiagnosticContext) -> [Finding] {
    var findings: [Finding] = []
    for account in context.enabledAccounts {
      let name = account.name.text
      do throws(StorageError) {
        let posts = WaitingPost.all(of: try context.storage.outbox(of: account.name).readable(), at: context.now)
        findings += posts.filter { !$0.isScheduled }.map { Self.finding(name, $0) }
      } catch { findings.append(.fault("\(name: name): \(foreign: "\(error)")")) }
    }
    return findings.isEmpty ? [.ok("no post has to wait")] : findings
  }

  private static func finding(_ account: String, _ post: WaitingPost) -> Finding {
    let time: DiagnosticText = post.until.map { " until \(harmless: $0.rfc3339)" } ?? ""
    let reason: DiagnosticText = post.reason.map { ": \(foreign: $0)" } ?? ""
    return .warning(
      "\(name: account): the post \(harmless: post.intent.id.text) waits\(time)\(reason)",
      next: post.until == nil
        ? "To list or discard it: homeline outbox"
        : "The service, or the next command that uses the account, continues automatically")
  }
}
