/// The parameters of a request in the one order and form that gets signed (RFC 5849 §3.4.1.3.2).
///
/// They are sorted as they are when encoded: by encoded name, equal names by encoded value, byte by byte. Duplicates stay. Sorting
/// joined `name=value` texts would be wrong, since `=` sorts after `-`, `.`, `%` and the digits.
public struct NormalizedParameters: Sendable, Hashable, CustomStringConvertible {
  /// The parameters, decoded, in that order.
  let sorted: [Parameter]

  /// Sorts the parameters. The caller has left out `realm` and `oauth_signature` (§3.4.1.3.1).
  public init(_ parameters: [Parameter]) {
    var list = ParameterList()
    list.append(parameters)
    list.sort()
    sorted = list.parameters
  }

  /// `name=value` encoded and joined by `&`, all of it ASCII.
  public var text: String {
    var list = ParameterList()
    list.append(sorted)
    var written = ByteBuffer(capacity: 1_024)
    list.writeNormalized(to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
  }

  /// The same as ``text``.
  public var description: String { text }
}
