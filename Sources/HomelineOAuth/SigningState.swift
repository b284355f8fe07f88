internal import Glibc

/// What a signer keeps between signatures: its key, worked into the hash, and the memory that it writes to.
///
/// It is behind a lock, so that a signer can be shared: signatures of one signer are made one after another, in microseconds each.
// Sendable because the workshop is used with the mutex held only.
@safe final class SigningState: @unchecked Sendable {
  // Set once and freed in deinit; the mutex must keep its address.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var workshop: Workshop

  init(method: SignatureMethod, key: SigningKey) {
    workshop = Workshop(method: method, key: key)
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Signs, and writes the header's value.
  ///
  /// - Parameter realm: without control characters.
  /// - Returns: the value, and where the signature stands in it.
  func sign(_ input: borrowing SignatureInput, realm: String?) throws(SigningError) -> (String, Range<Int>) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try workshop.sign(input, realm: realm)
  }
}

extension SigningState: CustomReflectable {
  /// A mirror without children: the memory holds what was signed last.
  var customMirror: Mirror { Mirror(self, children: []) }
}
