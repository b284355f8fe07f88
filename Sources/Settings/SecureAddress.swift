internal import HomelineOAuth

/// Which addresses are asked at all: secrets go there.
enum SecureAddress {
  /// What makes an address unfit, or nil.
  static func fault(of url: RequestURL) -> String? {
    url.isHTTPS || url.isLoopback
      ? nil : "plain http is for this machine only (127.0.0.1, [::1], localhost): use https"
  }
}
