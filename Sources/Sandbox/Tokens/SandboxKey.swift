internal import HomelineOAuth

/// The 32 random bytes under which a sandbox makes its tokens: who has the same key knows the same tokens.
package struct SandboxKey: Sendable, Equatable {
  package static let byteCount = 32

  let secret: Secret

  /// Fails for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    secret = Secret(bytes: bytes)
  }

  /// A new key from the kernel's random source (getrandom(2), by way of `SystemRandomNumberGenerator`).
  package static func random() -> SandboxKey {
    SandboxKey(bytes: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })!
  }

  /// Hands the bytes to `body`, to be kept in a private file.
  package func withExposed<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }
}
