internal import OAuthValues

/// Parses responses from the token endpoint and the device authorisation endpoint.
///
/// The status is ignored, because some servers send errors with status 200.
struct OAuth2ResponseReader {
  private let members: ResponseMembers
  private let status: Int
  private let subject: String

  /// Parses a response, which must contain a string named `essential`. Each of `names` may appear only once.
  ///
  /// - Parameter subject: the kind of response, for messages.
  /// - Throws: ``OAuth2ResponseError``.
  init(
    _ response: OAuth.Response, essential: String, names: [String], subject: String = "token answer"
  ) throws(OAuth2ResponseError) {
    self.subject = subject
    status = response.status ?? 0
    do throws(ResponseFormatError) {
      members = try ResponseMembers(response)
    } catch {
      if let defect = error.defect { throw Self.unusable("The server's \(subject) \(defect)", status) }
      throw .unreadable(status: status, error.message)
    }
    if let name = (names + ["error"]).first(where: members.duplicates.contains) {
      throw unusable("contains \(name) more than once")
    }
    if let error = OAuth2EndpointError(members, in: response) { throw .refused(error) }
    guard members.text(essential) == nil || members.hasNonstandardError else { return }
    // The body may be an error in the provider's own format.
    let description = ResponseFormatError(describing: response, otherwise: "").message
    throw description.isEmpty ? unusable("has no \(essential)") : .unreadable(status: status, description)
  }

  /// Returns the string with the given name; nil if it is missing or empty.
  func text(_ name: String) -> String? { members.text(name) }

  /// Returns a required string.
  func required(_ name: String) throws(OAuth2ResponseError) -> String {
    guard let text = members.text(name) else { throw unusable("has no \(name)") }
    return text
  }

  /// The lifetime in seconds; see ``Lifetime``.
  var lifetime: Int64? { Lifetime.seconds(in: members) }

  /// The time of expiry in seconds since 1970; see ``Lifetime``.
  var expiry: Int64? { Lifetime.time(in: members) }

  /// Returns a number of seconds; nil if there is none.
  func seconds(_ name: String) -> Int64? { members.numberText(name).flatMap { Lifetime.seconds($0) } }

  /// Returns all scalar values except those with the given names, as text.
  func scalars(besides names: [String]) -> [String: String] {
    members.values.filter { !names.contains($0.key) }.compactMapValues { value in
      switch value {
      case .text(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      case .texts, .numbers, .null, .other: nil
      }
    }
  }

  /// Returns the error for an answer that the server itself sent and that cannot be used.
  /// - Parameter defect: the end of a sentence about the answer. It contains no part of the answer, which may be a secret.
  func unusable(_ defect: String) -> OAuth2ResponseError { Self.unusable("The server's \(subject) \(defect)", status) }

  /// Returns the error for an answer that the server itself sent and that cannot be used.
  /// - Parameter sentence: the complete sentence, without a full stop.
  func unusable(because sentence: String) -> OAuth2ResponseError { .unusable(status: status, sentence) }

  private static func unusable(_ sentence: String, _ status: Int) -> OAuth2ResponseError {
    .unusable(status: status, status == 0 ? sentence : "\(sentence) (status \(status))")
  }
}
