internal import ControlProtocol
internal import HTTP
internal import Settings
internal import Time

/// The length of a post as its server measures it, for the script (`POST /post?part=count`). It comes from the owner's check, and nothing
/// is stored.
struct PostCount: Sendable {
  static let part = "count"

  let data: WebData
  let changes: WebChanges

  func count(_ form: WebQuery, _ reply: WebReply) {
    let text = form["text"] ?? ""
    let account = form["account"] ?? ""
    let accounts = DraftForm.accounts(in: data.configuration)
    guard !text.allSatisfy(\.isWhitespace), accounts.contains(where: { $0.name.text == account }) else {
      return reply { .part(Self.html("", isGood: true)) }
    }
    let warning = form["warning"].flatMap { $0.isEmpty ? nil : $0 }
    let lines = text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false).joined(separator: "\n")
    let request = SendPostRequest(account: account, text: lines, warning: warning, isDryRun: true)
    changes.carryOut(request) { [data] outcome in
      if let post = outcome.events.lazy.compactMap({ $0 as? CheckedPostEvent }).last {
        return reply { .part(Self.html(Self.text(of: post) ?? "", isGood: true)) }
      }
      let reason = outcome.failure(at: data.clock.now)?.advice.first ?? ""
      let own = reason.hasPrefix(account + ": ") ? String(reason.dropFirst(account.count + 2)) : reason
      reply { .part(Self.html(own.sentence, isGood: false)) }
    }
  }

  /// Returns the length: `412 of 500 characters`; nil if it is not known.
  static func text(of post: CheckedPostEvent) -> String? {
    guard let length = post.length else { return nil }
    return "\(length)\(post.limit.map { " of \($0)" } ?? "") \(post.unit ?? "characters")"
  }

  /// The element below the text, which is empty until something is counted.
  static func html(_ text: String, isGood: Bool) -> Markup {
    let mark: Markup = isGood ? "" : " error"
    return "<p id=\"count\" class=\"count\(mark)\" role=\"status\">\(text)</p>\n"
  }
}
