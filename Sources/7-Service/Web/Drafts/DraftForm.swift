internal import ControlProtocol
internal import HTTP
internal import Posting
internal import Settings
internal import Time

/// What the fields of a post's form mean, and what is wrong with them. An error belongs to its field, so that the page can show it beside
/// what was typed.
struct DraftForm: Sendable {
  let draft: WebDraft
  /// The account that posts; nil if the field has an error.
  private(set) var account: AccountSettings?
  /// The time of the post; nil for at once.
  private(set) var postAt: Timestamp?
  /// What is wrong with a field, in sentences.
  var errors: [WebDraft.Field: String] = [:]
  /// What is wrong with the file of a slot, in sentences.
  var problems: [Int: String] = [:]
  /// The descriptions typed for slots without a file.
  var descriptions: [Int: String] = [:]
  /// What is wrong with the whole, in sentences.
  var objections: [String] = []

  /// Returns the accounts that can publish posts.
  static func accounts(in configuration: Configuration) -> [AccountSettings] {
    configuration.accounts.filter { AccountActs($0, StoredMarks()).canPost }
  }

  /// Reads the fields.
  init(_ draft: WebDraft, in data: WebData) {
    self.draft = draft
    account = Self.accounts(in: data.configuration).first { $0.name.text == draft[.account] }
    if account == nil { errors[.account] = "Choose the account that posts." }
    if draft.isEmpty { errors[.text] = "Write something, or add a file." }
    if draft[.text].utf8.count > PostDraft.longestText {
      errors[.text] = "The text is longer than \(PostDraft.longestText) bytes."
    }
    if !draft[.visibility].isEmpty, PostVisibility(rawValue: draft[.visibility]) == nil {
      errors[.visibility] = "Choose one of these."
    }
    if !draft[.language].isEmpty, !LanguageTag.isWellFormed(draft[.language]) {
      errors[.language] = "This is not a language tag. Tags look like en or pt-BR."
    }
    if !draft[.time].isEmpty { readTime(at: data.clock.now) }
    guard account?.requiresAltText == true else { return }
    for file in draft.files where file.description.isEmpty {
      problems[file.slot] = "Describe this file, because the account has require_alt_text."
    }
  }

  private mutating func readTime(at now: Timestamp) {
    postAt = TypedTime(at: now, in: .system, toward: .future).read(draft[.time])
    if postAt == nil {
      errors[.time] = "This is not a time. Times look like 2026-12-24 18:00, 18:00 or 30m."
    } else if let time = postAt, time <= now {
      errors[.time] = "This time has passed."
    }
  }

  var isCorrect: Bool { errors.isEmpty && problems.isEmpty && objections.isEmpty }

  /// Returns the request for the post. The form must be correct.
  func request(_ drafts: DraftStore, isDryRun: Bool = false, isConfirmed: Bool = false, trustsServer: Bool = false)
    -> SendPostRequest
  {
    SendPostRequest(
      account: draft[.account], text: draft[.text], replyTo: Self.filled(draft[.reply]),
      visibility: Self.filled(draft[.visibility]), warning: Self.filled(draft[.warning]),
      language: Self.filled(draft[.language]), postAt: postAt,
      files: draft.files.map {
        SendPostRequest.File(path: drafts.path(of: $0.slot, in: draft.id), description: Self.filled($0.description))
      },
      isDryRun: isDryRun, isConfirmed: isConfirmed, patience: Self.patience, trustsServer: trustsServer,
      id: isDryRun ? nil : draft.id.intent.text)
  }

  /// How many seconds a page waits for another attempt. The outbox shows how it goes on.
  private static let patience = 3

  private static func filled(_ text: String) -> String? { text.allSatisfy(\.isWhitespace) ? nil : text }

  /// Returns a message for a command as sentences for the page: with the names of files and not their paths.
  func sentence(_ message: String, _ drafts: DraftStore) -> String {
    var text = message[...]
    // The page shows the account beside it.
    if text.hasPrefix(draft[.account] + ": ") { text = text.dropFirst(draft[.account].count + 2) }
    // A path begins with a slash, so the name of a file keeps its first letter.
    var shown = String(text).sentence
    for file in draft.files { shown = shown.replacing(drafts.path(of: file.slot, in: draft.id), with: file.name) }
    return shown
  }
}
