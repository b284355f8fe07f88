internal import COpenSSL

/// Base64 with padding and without line breaks (RFC 4648 §4), through `EVP_EncodeBlock(3)`.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    // Four characters for each three bytes begun, and the zero byte that OpenSSL puts behind them.
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let length = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text.prefix(Int(length)), as: UTF8.self)
  }
}
