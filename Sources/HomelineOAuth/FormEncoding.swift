extension OAuth {
  /// `application/x-www-form-urlencoded`, as queries and bodies use it (RFC 5849 §3.4.1.3.1).
  public enum FormEncoding {
    /// The media type of form data.
    static let contentType = "application/x-www-form-urlencoded"

    /// What is read at most.
    public struct Limits: Sendable, Hashable {
      /// Bytes before decoding.
      public let bytes: Int
      /// Parameters, empty segments not counted.
      public let parameters: Int

      /// Sets both limits. A megabyte holds the longest post a thousand times over; a thousand parameters are more than any
      /// API takes, and few enough to sort at once.
      public init(bytes: Int = 1 << 20, parameters: Int = 1_000) {
        self.bytes = bytes
        self.parameters = parameters
      }
    }

    /// Reads form data: `+` is a space, `name` alone has an empty value, only the first `=` splits, empty segments between
    /// `&` are dropped, order and duplicates are kept.
    ///
    /// - Throws: ``OAuth/FormError`` for a broken escape or an exceeded limit.
    public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(FormError) -> [Parameter] {
      var list = ParameterList()
      try append(bytes.span, limits: limits, to: &list)
      return list.parameters
    }

    /// Reads form data onto the end of a list.
    @inline(__always)
    static func append(_ bytes: Span<UInt8>, limits: Limits, to list: inout ParameterList) throws(FormError) {
      guard bytes.count <= limits.bytes else { throw .tooLong(bytes: bytes.count, limit: limits.bytes) }
      unsafe try bytes.withUnsafeBufferPointer { (bytes) throws(FormError) in
        unsafe try list.append(form: bytes, limit: limits.parameters)
      }
    }

    /// Reads the UTF-8 bytes of a text as form data.
    public static func decode(_ text: String, limits: Limits = Limits()) throws(FormError) -> [Parameter] {
      try decode(Array(text.utf8), limits: limits)
    }

    /// Writes form data. A space becomes `%20`, which every reader takes, as does every byte that ``OAuth/PercentEncoding`` escapes.
    public static func encode(_ parameters: [Parameter]) -> String {
      var output: [UInt8] = []
      for parameter in parameters {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        PercentEncoding.append(parameter.name.span, to: &output)
        output.append(UInt8(ascii: "="))
        PercentEncoding.append(parameter.value.span, to: &output)
      }
      return String(decoding: output, as: UTF8.self)
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias FormEncoding = OAuth.FormEncoding
