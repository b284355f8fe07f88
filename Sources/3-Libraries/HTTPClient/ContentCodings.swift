internal import HTTP

/// The names in a response's `Content-Encoding` (RFC 9110 §8.4).
struct ContentCodings {
  private let names: [String]

  init(of headers: HeaderFields) {
    names = headers.fields.filter { $0.name == .contentEncoding }
      .flatMap { $0.value.text.split { $0 == "," || $0.isWhitespace } }.map { $0.lowercased() }
  }

  /// Whether each name is a MIME or storage term that says nothing about the content. Browsers then treat the content as plain, and so does
  /// this client.
  var arePlain: Bool { !names.isEmpty && names.allSatisfy { Self.plain.contains($0) || $0.hasPrefix("iso-8859-") } }

  /// The first name that libcurl cannot decode; nil if there is none.
  var unknown: String? { names.first { !Self.decoded.contains($0) && !Self.plain.contains($0) } }

  /// Whether the content is compressed.
  var isCompressed: Bool { names.contains { Self.decoded.contains($0) } }

  /// Whether libcurl reports bytes after the compressed content as an error.
  var isGzip: Bool { names.contains("gzip") || names.contains("x-gzip") }

  /// The codings that libcurl decodes, if it was built with them (CURLOPT_ACCEPT_ENCODING(3)).
  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

  private static let plain: Set<String> = [
    "identity", "none", "aws-chunked", "chunked", "7bit", "8bit", "binary", "utf-8", "utf8", "us-ascii", "ascii",
    "windows-1252", "text", "json",
  ]
}
