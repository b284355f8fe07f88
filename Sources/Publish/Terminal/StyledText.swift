/// Text with its looks, before it is known what a terminal can show of them.
struct StyledText: Sendable, Hashable {
  /// The few looks that there are.
  enum Look: Sendable, Hashable {
    case plain
    /// Names.
    case strong
    /// Small print.
    case faint
    /// Links, mentions and topics.
    case calm
  }

  /// Text of one look that leads to one place, or to none.
  struct Run: Sendable, Hashable {
    var text: String
    var look: Look
    var target: LinkTarget?
  }

  private(set) var runs: [Run] = []

  init() {}

  init(_ text: String, _ look: Look = .plain, target: LinkTarget? = nil) { append(text, look, target: target) }

  var isEmpty: Bool { runs.isEmpty }

  mutating func append(_ text: some StringProtocol, _ look: Look = .plain, target: LinkTarget? = nil) {
    if text.isEmpty { return }
    if let last = runs.last, last.look == look, last.target == target {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: String(text), look: look, target: target))
    }
  }

  static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    for run in right.runs { sum.append(run.text, run.look, target: run.target) }
    return sum
  }
}
