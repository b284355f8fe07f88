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

  /// Signs a request as ``SigningContext`` does.
  func sign(
    _ request: borrowing SignableRequest, nonceTimestamp: OAuth.NonceTimestamp, additional: [OAuth.Parameter],
    own: borrowing ProtocolParameters, realm: String?
  ) throws(SigningError) -> (String, Range<Int>) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try context.sign(
      request, nonceTimestamp: nonceTimestamp, additional: additional, own: own, realm: realm)
  }

  var keepsMemory: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return context.keepsMemory
  }

  func releaseMemory() {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    context.releaseMemory()
  }
}

extension SigningState: CustomReflectable {
  /// An empty mirror, because the memory contains the last signed request.
  var customMirror: Mirror { Mirror(self, children: []) }
}
