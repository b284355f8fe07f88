package import Bytes
package import Keyring
import Platform

/// A secret store in memory, which fails when the test asks for it.
package final class MemorySecretStore: SecretStore {
  fileprivate struct State {
    var items: [(attributes: SecretAttributes, secret: Secret)] = []
    var failure: SecretStoreError?
    var calls = 0
  }

  fileprivate let state = Locked(State())

  package init() {}

  /// Why the store cannot be used; `nil` if it can.
  package var failure: SecretStoreError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  package var count: Int { state.withLock { $0.items.count } }
  /// The number of calls to the store, including failed ones.
  package var calls: Int { state.withLock { $0.calls } }

  /// Deletes all items, as a user can do in the keyring's own program.
  package func removeAll() { state.withLock { $0.items = [] } }

  package func secrets(with attributes: SecretAttributes) throws(SecretStoreError) -> FoundSecrets {
    try used { state in
      FoundSecrets(state.items.filter { $0.attributes.contain(attributes) }.map(\.secret))
    }
  }

  package func add(_ secret: Secret, _ attributes: SecretAttributes, label: String) throws(SecretStoreError) {
    try used { $0.items.append((attributes, secret)) }
  }

  package func remove(_ attributes: SecretAttributes) throws(SecretStoreError) {
    try used { $0.items.removeAll { $0.attributes.contain(attributes) } }
  }

  package func provider() throws(SecretStoreError) -> String { try used { _ in "memory" } }

  private func used<Value>(_ body: (inout State) -> Value) throws(SecretStoreError) -> Value {
    try state.withLock { state throws(SecretStoreError) in
      state.calls += 1
      if let failure = state.failure { throw failure }
      return body(&state)
    }
  }
}

extension SecretAttributes {
  fileprivate func contain(_ others: SecretAttributes) -> Bool {
    others.values.allSatisfy { values[$0.key] == $0.value }
  }
}

extension MemorySecretStore {
  /// The installations that have items.
  package var instances: [String] { state.withLock { $0.items.compactMap { $0.attributes.values["instance"] } } }
}
