package import CivilTime
package import HomelineOAuth

/// A provider's answer, and by our clock when it came.
package struct ProviderAnswer: Sendable {
  package let status: Int
  /// Decompressed.
  package let body: [UInt8]
  /// By this machine's clock.
  package let receivedAt: Timestamp
  /// The time that the request was signed with: this machine's, with what is known of the provider's clock put right.
  package let signedAt: Timestamp
  /// Takes the account's secrets out of all that is quoted from it.
  package let hiding: Redaction
  private let fields: @Sendable (String) -> String?

  /// - Parameters:
  ///   - hiding: knows the secrets that the provider has, and may repeat.
  ///   - header: the value of a header by its lower-case name.
  package init(
    status: Int, body: [UInt8], receivedAt: Timestamp, signedAt: Timestamp? = nil, hiding: Redaction,
    header: @escaping @Sendable (String) -> String?
  ) {
    self.status = status
    self.body = body
    self.receivedAt = receivedAt
    self.signedAt = signedAt ?? receivedAt
    self.hiding = hiding
    fields = header
  }

  /// The value of a header without white space around it; `nil` when it is not there or empty.
  package func header(_ name: String) -> String? {
    guard let value = fields(name) else { return nil }
    let bytes = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
    return bytes.isEmpty ? nil : String(decoding: Array(bytes), as: UTF8.self)
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The time at the server when it answered (RFC 9110 §6.6.1).
  package var serverTime: Timestamp? { header("date").flatMap { Timestamp(imfFixdate: $0) } }

  /// A moment of the server's clock, by ours.
  func local(_ serverMoment: Timestamp) -> Timestamp {
    guard let serverTime else { return serverMoment }
    return serverMoment - (serverTime - receivedAt)
  }
}

extension Answer {
  /// What of a provider's answer the OAuth side looks at.
  /// - Parameter readsChallenges: whether its `WWW-Authenticate` counts.
  package init(_ answer: ProviderAnswer, readsChallenges: Bool = true) {
    let challenges = readsChallenges ? answer.header("www-authenticate") : nil
    self.init(
      status: answer.status, challenges: challenges.map { [$0] } ?? [], body: answer.body, hiding: answer.hiding)
  }
}
