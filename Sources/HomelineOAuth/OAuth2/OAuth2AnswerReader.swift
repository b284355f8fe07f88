/// Reads answers of the token endpoint and of the device authorisation endpoint.
///
/// The status decides nothing: refusals come with 200, and token answers under any type.
struct OAuth2AnswerReader {
  private let members: AnswerMembers
  private let status: Int

  /// Reads the answer, which is one when it has the text `essential`; `names` may come once only.
  ///
  /// - Throws: ``OAuth2AnswerError`` for a refusal, and for what is no answer.
  init(_ answer: Answer, essential: String, names: [String]) throws(OAuth2AnswerError) {
    status = answer.status ?? 0
    do throws(Unreadable) {
      members = try AnswerMembers(answer)
    } catch {
      throw .unreadable(status: status, error.words)
    }
    if let name = (names + ["error"]).first(where: members.doubled.contains) { throw unreadable("\(name) twice") }
    if let refusal = OAuth2Refusal(members, in: answer) { throw .refused(refusal) }
    guard members.text(essential) == nil || members.holdsForeignError else { return }
    // It may be an error in a form of the provider's own.
    throw unreadable(Unreadable(described: answer, otherwise: "an answer without \(essential)").words)
  }

  /// A text that is there and not empty.
  func text(_ name: String) -> String? { members.text(name) }

  /// A text that has to be there.
  func required(_ name: String) throws(OAuth2AnswerError) -> String {
    guard let text = members.text(name) else { throw unreadable("an answer without \(name)") }
    return text
  }

  /// A count of seconds; nil when there is none.
  func seconds(_ name: String) -> Int64? { members.seconds(name) }

  /// Everything else that is a single value, as text.
  func scalars(besides names: [String]) -> [String: String] {
    members.values.filter { !names.contains($0.key) }.compactMapValues { value in
      switch value {
      case .text(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      case .texts, .numbers, .null, .other: nil
      }
    }
  }

  func unreadable(_ words: String) -> OAuth2AnswerError { .unreadable(status: status, words) }
}
