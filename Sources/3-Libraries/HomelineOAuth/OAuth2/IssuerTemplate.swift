internal import Bytes

/// A multi-tenant issuer identifier, as in Microsoft's metadata, such as
/// `https://login.microsoftonline.com/{tenantid}/v2.0`. Each tenant has its own issuer, with the tenant's id instead of the placeholder.
enum IssuerTemplate {
  private static let placeholder = "{tenantid}"

  /// The path segments of multi-tenant addresses.
  private static let sharedTenants: Set<Substring> = ["common", "organizations", "consumers"]

  /// Returns whether a server configured with a multi-tenant issuer may send this template in its metadata. They may differ in only one
  /// path segment, where the template has the placeholder.
  static func matches(_ template: String, configured issuer: String) -> Bool {
    tenant(of: issuer, in: template).map(sharedTenants.contains) ?? false
  }

  /// Returns whether an issuer belongs to one tenant and matches the template.
  /// - Parameter tenant: the tenant's id; nil if it is not known.
  static func matches(_ template: String, issuer: String, tenant: String? = nil) -> Bool {
    guard let found = self.tenant(of: issuer, in: template) else { return false }
    guard !found.isEmpty, found.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }) else {
      return false
    }
    return tenant.map { $0.utf8.elementsEqual(found.utf8) } ?? true
  }

  /// Returns whether one segment of an issuer's path is the placeholder.
  static func isTemplate(_ issuer: String) -> Bool {
    let places = segments(issuer).enumerated().filter { $0.element == placeholder }
    return places.count == 1 && places[0].offset > 2
  }

  /// Returns the issuer's segment at the position of the template's placeholder; nil if the issuer and the template differ elsewhere.
  private static func tenant(of issuer: String, in template: String) -> Substring? {
    guard isTemplate(template) else { return nil }
    let (expected, found) = (segments(template), segments(issuer))
    guard expected.count == found.count else { return nil }
    var tenant: Substring?
    for (expected, found) in zip(expected, found) {
      if expected == placeholder {
        tenant = found
      } else if !expected.utf8.elementsEqual(found.utf8) {
        return nil
      }
    }
    return tenant
  }

  /// Returns the parts between slashes. The third one is the host.
  private static func segments(_ issuer: String) -> [Substring] {
    issuer.split(separator: "/", omittingEmptySubsequences: false)
  }
}
