extension Parameter {
  /// Pairs a name with a secret's bytes.
  init(_ name: String, exposing secret: Secret) {
    self.init(name: Array(name.utf8), value: secret.withExposed { $0 })
  }
}
