@_spi(Signing) internal import OAuthValues

/// The protocol parameters shared by all requests of a signer, without the signature (RFC 5849 §3.1).
struct ProtocolParameters: Sendable, Hashable {
  private let consumerKey: PreparedParameter
  private let signatureMethod: PreparedParameter
  private let token: PreparedParameter?
  private let version: PreparedParameter?

  init(consumerKey: String, token: String?, method: OAuth.SignatureMethod, sendsVersion: Bool) {
    self.consumerKey = PreparedParameter("oauth_consumer_key", consumerKey)
    signatureMethod = PreparedParameter("oauth_signature_method", method.rawValue)
    self.token = token.map { PreparedParameter("oauth_token", $0) }
    version = sendsVersion ? PreparedParameter("oauth_version", "1.0") : nil
  }

  /// Collects and sorts the parameters to sign: these, further ones for the header, and those of the request.
  ///
  /// - Throws: ``OAuth/FormError`` if the query is malformed.
  @inline(__always)
  func collect(
    of request: borrowing SignableRequest, nonceTimestamp: OAuth.NonceTimestamp, additional: [OAuth.Parameter],
    in list: inout ParameterList
  ) throws(OAuth.FormError) {
    list.removeAll()
    append(to: &list, nonceTimestamp: nonceTimestamp)
    let sorted = list.entries.count
    list.append(additional, isSent: true)
    try request.append(to: &list)
    list.sort(after: sorted)
  }

  /// Appends the parameters, together with the nonce and the timestamp, sorted by name.
  @inline(__always)
  private func append(to list: inout ParameterList, nonceTimestamp: OAuth.NonceTimestamp) {
    list.append(consumerKey)
    list.append(nonce: nonceTimestamp.nonce.text)
    list.append(signatureMethod)
    list.append(timestamp: nonceTimestamp.timestamp)
    if let token { list.append(token) }
    if let version { list.append(version) }
  }
}

/// A parameter that is sent in the header. Its name and value are stored together, so that a single copy moves both.
private struct PreparedParameter: Sendable, Hashable {
  let bytes: [UInt8]
  let nameCount: Int
  let isPlain: Bool

  init(_ name: String, _ value: String) {
    bytes = Array(name.utf8) + Array(value.utf8)
    nameCount = name.utf8.count
    isPlain = bytes.allSatisfy { PercentTable.once.keeps($0) }
  }
}

extension ParameterList {
  @inline(__always)
  fileprivate mutating func append(_ parameter: PreparedParameter) {
    let bytes = parameter.bytes.span
    append(atMost: bytes.count, isSent: true) { cursor in
      unsafe bytes.withUnsafeBufferPointer { unsafe cursor.put($0) }
      return Written(nameCount: parameter.nameCount, isPlain: parameter.isPlain)
    }
  }

  @inline(__always)
  fileprivate mutating func append(nonce: String) {
    let name: StaticString = "oauth_nonce"
    let value = nonce.utf8.span
    append(atMost: name.utf8CodeUnitCount + value.count, isSent: true) { cursor in
      cursor.put(name)
      return unsafe value.withUnsafeBufferPointer { value in
        unsafe cursor.put(value)
        return unsafe Written(nameCount: name.utf8CodeUnitCount, isPlain: PercentTable.once.keeps(value))
      }
    }
  }

  @inline(__always)
  fileprivate mutating func append(timestamp: Int64) {
    let name: StaticString = "oauth_timestamp"
    append(atMost: name.utf8CodeUnitCount + 19, isSent: true) { cursor in
      cursor.put(name)
      cursor.put(decimal: timestamp)
      return Written(nameCount: name.utf8CodeUnitCount, isPlain: true)
    }
  }
}
