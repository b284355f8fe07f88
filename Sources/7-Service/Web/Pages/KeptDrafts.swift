internal import Formats
internal import HTTP
internal import Time
internal import Timeline

/// The list of posts that were begun, above an empty form.
struct KeptDrafts {
  private let drafts: [WebDraft]
  private let now: Timestamp

  init(_ drafts: [WebDraft], at now: Timestamp) {
    self.drafts = drafts
    self.now = now
  }

  var html: Markup {
    if drafts.isEmpty { return "" }
    let rows = drafts.map { draft -> Markup in
      let address = WebAddress("post").with("draft", draft.id.text).text
      let count = draft.files.count
      let files: Markup = count == 0 ? "" : ", \(count) \(count == 1 ? "file" : "files")"
      return """
        <li><a href="\(address)"><bdi>\(Self.beginning(of: draft))</bdi></a> \
        <span class="fact">\(Age(of: draft.changedAt, at: now).ago)\(files)</span></li>

        """
    }
    return "<h2>Not posted yet</h2>\n<ul class=\"rows\">\n\(rows.joined())</ul>\n"
  }

  /// Returns the beginning of a draft's text.
  private static func beginning(of draft: WebDraft) -> String {
    let line = SafeText.line(of: draft[.text]).trimmed
    if line.isEmpty { return "A post without text" }
    return line.count > 60 ? line.prefix(59) + "…" : line
  }
}
