extension ParameterList {
  /// The name of a protocol parameter that would be sent twice (RFC 5849 §3.1), in a list that is sorted. The signature is one when
  /// it is there at all: another will stand beside it.
  var doubledProtocolParameter: String? {
    for index in entries.indices {
      let name = unsafe name(entries[index])
      let isDoubled = unsafe index > 0 && Self.areEqual(name, self.name(entries[index - 1]))
      guard unsafe isDoubled || Self.areEqual(name, Self.bytes(Self.signatureName)) else { continue }
      guard unsafe name.starts(with: Self.bytes(Self.prefix)) else { continue }
      return unsafe String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Adds the signature to a sorted list, as it is.
  ///
  /// - Returns: which of the entries it is.
  mutating func insertSignature(_ text: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + text.count, isSent: true) { place in
      place.put(Self.signatureName)
      unsafe text.withUnsafeBufferPointer { unsafe place.put($0) }
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  /// Adds the Base64 form of a code as the signature to a sorted list.
  ///
  /// - Returns: which of the entries it is.
  mutating func insertSignature(base64Of code: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + Base64.count(of: code.count), isSent: true) { place in
      place.put(Self.signatureName)
      Base64.write(code, to: &place)
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  private static let prefix: StaticString = "oauth_"
  private static let signatureName: StaticString = "oauth_signature"

  /// Names mostly differ in their lengths already.
  @inline(__always)
  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe left.count == right.count && left.elementsEqual(right)
  }

  @inline(__always)
  private static func bytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
