public import OAuthValues

/// The parameters of a request, sorted and normalised for signing (RFC 5849 §3.4.1.3.2).
///
/// The parameters are sorted by encoded name, then by encoded value, byte by byte. Duplicates are preserved. Sorting the joined
/// `name=value` strings would give the wrong order, because `=` sorts after `-`, `.`, `%` and the digits.
public struct NormalizedParameters: Sendable, Hashable, CustomStringConvertible {
  /// The decoded parameters in sorted order.
  let sorted: [OAuth.Parameter]

  /// Sorts parameters, which must include neither `realm` nor `oauth_signature` (§3.4.1.3.1).
  public init(_ parameters: [OAuth.Parameter]) {
    var list = ParameterList()
    list.append(parameters)
    list.sort()
    sorted = list.parameters
  }

  /// The encoded `name=value` pairs, joined by `&`, in ASCII.
  public var text: String {
    var list = ParameterList()
    list.append(sorted)
    var written = ByteBuffer(capacity: 1_024)
    list.writeNormalized(to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
  }

  /// The value of ``text``.
  public var description: String { text }
}
