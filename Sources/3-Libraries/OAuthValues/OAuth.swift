public import Bytes

/// A namespace for the types whose names are so general that they could collide with yours.
public enum OAuth {
  /// Bytes that must not be shown, such as a consumer secret, a token secret or a verifier.
  public typealias Secret = Bytes.Secret
}
