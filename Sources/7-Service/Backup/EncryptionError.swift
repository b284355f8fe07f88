/// The reason a document could not be encrypted or decrypted.
package enum EncryptionError: Error, Sendable, Hashable {
  /// The passphrase is wrong, or the file has been changed.
  case wrongPassphrase
  /// The file is not encrypted in this format.
  case unknownFormat
  /// The file's key would take more memory or time than a file may demand.
  case tooCostly
  /// The OpenSSL function with this name failed.
  case failed(String)
}
