/// The protocol parameters that every request of a signer carries (RFC 5849 §3.1), made ready once. The signature is not among them.
struct ProtocolParameters: Sendable, Hashable {
  private let consumerKey: ReadyParameter
  private let signatureMethod: ReadyParameter
  private let token: ReadyParameter?
  private let version: ReadyParameter?

  init(consumerKey: String, token: String?, method: OAuth.SignatureMethod, sendsVersion: Bool) {
    self.consumerKey = ReadyParameter("oauth_consumer_key", consumerKey)
    signatureMethod = ReadyParameter("oauth_signature_method", method.rawValue)
    self.token = token.map { ReadyParameter("oauth_token", $0) }
    version = sendsVersion ? ReadyParameter("oauth_version", "1.0") : nil
  }

  /// Adds them to a list with those of this one request between them, sorted by name.
  @inline(__always)
  func append(to list: inout ParameterList, stamp: OAuth.NonceTimestamp) {
    list.append(consumerKey)
    list.append(nonce: stamp.nonce.text)
    list.append(signatureMethod)
    list.append(timestamp: stamp.timestamp)
    if let token { list.append(token) }
    if let version { list.append(version) }
  }
}

/// A parameter that is sent, name and value in one, so that they are copied at once.
private struct ReadyParameter: Sendable, Hashable {
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
  fileprivate mutating func append(_ ready: ReadyParameter) {
    let bytes = ready.bytes.span
    append(atMost: bytes.count, isSent: true) { place in
      unsafe bytes.withUnsafeBufferPointer { unsafe place.put($0) }
      return Written(nameCount: ready.nameCount, isPlain: ready.isPlain)
    }
  }

  @inline(__always)
  fileprivate mutating func append(nonce: String) {
    let name: StaticString = "oauth_nonce"
    let value = nonce.utf8.span
    append(atMost: name.utf8CodeUnitCount + value.count, isSent: true) { place in
      place.put(name)
      return unsafe value.withUnsafeBufferPointer { value in
        unsafe place.put(value)
        return unsafe Written(nameCount: name.utf8CodeUnitCount, isPlain: PercentTable.once.keeps(value))
      }
    }
  }

  @inline(__always)
  fileprivate mutating func append(timestamp: Int64) {
    let name: StaticString = "oauth_timestamp"
    append(atMost: name.utf8CodeUnitCount + 19, isSent: true) { place in
      place.put(name)
      place.put(decimal: timestamp)
      return Written(nameCount: name.utf8CodeUnitCount, isPlain: true)
    }
  }
}
