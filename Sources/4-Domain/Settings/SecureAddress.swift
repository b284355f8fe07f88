internal import Bytes

/// The rule for addresses that receive secrets.
enum SecureAddress {
  /// Returns the reason an address is refused; nil if it is accepted.
  static func fault(of url: RequestURL) -> String? {
    url.isHTTPS || url.isLoopback
      ? nil : "plain http is allowed only for this machine (127.0.0.1, [::1], localhost): use https"
  }
}
