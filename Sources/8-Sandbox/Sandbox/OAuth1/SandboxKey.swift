internal import Bytes
internal import HomelineOAuth

/// The 32 random bytes that a sandbox derives its tokens from. Sandboxes with the same key accept each other's tokens.
package struct SandboxKey: Sendable, Equatable {
  package static let byteCount = 32

  let secret: Secret

  /// Fails unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    secret = Secret(bytes: bytes)
  }

  /// Returns a new key from the kernel's random source (`SystemRandomNumberGenerator`, getrandom(2)).
  package static func random() -> SandboxKey {
    SandboxKey(bytes: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })!
  }

  /// Passes the bytes to `body`, which stores them in a private file.
  package func withExposed<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }
}
