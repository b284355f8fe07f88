public import OAuthValues

extension OAuth {
  /// `application/x-www-form-urlencoded` data, as used in queries and bodies (RFC 5849 §3.4.1.3.1).
  public enum FormEncoding {
    /// The media type of form data.
    static let contentType = "application/x-www-form-urlencoded"

    /// Limits on the input.
    public struct Limits: Sendable, Hashable {
      /// The maximum number of bytes before decoding.
      public let bytes: Int
      /// The maximum number of parameters. Empty segments do not count.
      public let parameters: Int

      /// Creates limits. The defaults are far larger than any request needs, but small enough for fast processing.
      public init(bytes: Int = 1 << 20, parameters: Int = 1_000) {
        self.bytes = bytes
        self.parameters = parameters
      }
    }

    /// Decodes form data. A `+` becomes a space. Only the first `=` of a segment separates the name from the value, and a name without `=`
    /// has an empty value. Empty segments between `&` are ignored. The order and duplicates are preserved.
    ///
    /// - Throws: ``OAuth/FormError`` if an escape is malformed or a limit is exceeded.
    public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(FormError) -> [Parameter] {
      var list = ParameterList()
      try append(bytes.span, limits: limits, to: &list)
      return list.parameters
    }

    /// Decodes form data and appends it to a list.
    @inline(__always)
    static func append(_ bytes: Span<UInt8>, limits: Limits, to list: inout ParameterList) throws(FormError) {
      guard bytes.count <= limits.bytes else { throw .tooLong(bytes: bytes.count, limit: limits.bytes) }
      unsafe try bytes.withUnsafeBufferPointer { (bytes) throws(FormError) in
        unsafe try list.append(form: bytes, limit: limits.parameters)
      }
    }

    /// Decodes the UTF-8 bytes of a string as form data.
    public static func decode(_ text: String, limits: Limits = Limits()) throws(FormError) -> [Parameter] {
      try decode(Array(text.utf8), limits: limits)
    }

    /// Encodes form data with ``OAuth/PercentEncoding``, so a space becomes `%20`, which every parser accepts.
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

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias FormEncoding = OAuth.FormEncoding
