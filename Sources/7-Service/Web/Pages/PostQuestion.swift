internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Settings

/// The page that asks the user to agree to a post's cost, or to publish it although the server may ignore some of its properties. The post
/// is kept as a draft meanwhile.
struct PostQuestion {
  private let form: DraftForm
  private let end: EndEvent
  /// What the user has agreed to before.
  private let agreed: [String]

  /// The fields that say what the user has agreed to.
  static let (confirmed, trust) = ("confirmed", "trust")

  /// - Parameter agreed: the names of fields.
  init(_ form: DraftForm, _ end: EndEvent, agreed: [String]) {
    self.form = form
    self.end = end
    self.agreed = agreed
  }

  var page: WebPage {
    let id = form.draft.id.text
    let (reason, name, button): (Markup, String, Markup) =
      switch (end.question, end.cost) {
      case (.confirmCost, let cost?):
        (
          "This post costs \(MicroUSD.text(cost)) USD, which is more than the account's <code>confirm_above_usd</code>.",
          Self.confirmed, "Post for \(MicroUSD.text(cost)) USD"
        )
      default: ("\((end.message ?? "").sentence)", Self.trust, "Post anyway")
      }
    let fields = (agreed + [name]).map { "<input type=\"hidden\" name=\"\($0)\" value=\"1\">" as Markup }
    return WebPage(
      end.question == .confirmCost ? "Post for this price?" : "Post anyway?", at: .write,
      """
      <p>\(reason)</p>
      <blockquote class="preview text" dir="auto">\(form.draft[.text])</blockquote>
      <form method="post" action="/post"><input type="hidden" name="draft" value="\(id)">\
      \(fields.joined())<input type="hidden" name="do" value="post">\
      <p class="buttons"><button type="submit">\(button)</button> \
      <a href="\(WebAddress("post").with("draft", id).text)">Change it</a></p></form>

      """)
  }
}
