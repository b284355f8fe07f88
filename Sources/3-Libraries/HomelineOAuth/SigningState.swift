internal import Glibc
internal import OAuthValues

/// The state that a signer keeps between signatures: the initialised HMAC and reusable memory.
///
/// A lock lets threads share the signer; each signature takes microseconds.
// Sendable because the context is used only while the mutex is held.
@safe final class SigningState: @unchecked Sendable {
  // The mutex is on the heap because it must not move; deinit frees it.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var context: SigningContext

  init(method: OAuth.SignatureMethod, key: SigningKey) {
    context = SigningContext(method: method, key: key)
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Signs a request and returns the header's value.
  ///
  /// - Parameter realm: the realm without control characters.
  /// - Returns: the value, and the range of the signature in it.
  func sign(
    _ authorization: borrowing OAuth.Authorization, realm: String?
  ) throws(SigningError) -> (String, Range<Int>) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try context.sign(authorization, realm: realm)
  }
}

extension SigningState: CustomReflectable {
  /// An empty mirror, because the memory contains the last signed request.
  var customMirror: Mirror { Mirror(self, children: []) }
}
