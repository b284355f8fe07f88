internal import Bytes
public import OAuthValues

/// The response with the codes for a login on another device (RFC 8628 §3.2).
public struct DeviceAuthorizationResponse: Sendable, Hashable {
  /// The code for polling the token endpoint.
  public let deviceCode: OAuth.Secret
  /// The code that the user enters on the other device, on a single line without control characters.
  public let userCode: String
  /// The `http` or `https` URL where the user enters the code.
  public let verificationURI: String
  /// The URL that includes the code, for a QR code; nil if there is none.
  public let verificationURIComplete: String?
  /// The lifetime of both codes in seconds; 900 if the server sends none.
  public let expiresIn: Int64
  /// The polling interval in seconds, at least 1. The default is 5.
  public let interval: Int64

  /// The maximum length of a code, in characters. Users type it.
  private static let longestCode = 100

  /// Parses the response.
  ///
  /// - Throws: ``OAuth2ResponseError``.
  public init(_ response: OAuth.Response) throws(OAuth2ResponseError) {
    let names = [
      "device_code", "user_code", "verification_uri", "verification_url", "verification_uri_complete", "expires_in",
      "interval",
    ]
    let members = try OAuth2ResponseReader(
      response, essential: "device_code", names: names, subject: "answer to the request for a device code")
    deviceCode = OAuth.Secret(try members.required("device_code"))
    userCode = try members.required("user_code")
    guard userCode.count <= Self.longestCode else {
      throw members.unusable(
        because: "The server's code for the device is too long (\(Count.text(userCode.count)) characters)")
    }
    guard ProviderText.cleaned(userCode.utf8, hiding: .nothing) == userCode else {
      throw members.unusable(because: "The server's code for the device contains control characters")
    }
    // The member's name before RFC 8628; large providers still send it.
    let isFormer = members.text("verification_uri") == nil && members.text("verification_url") != nil
    verificationURI = try Self.address(
      try members.required(isFormer ? "verification_url" : "verification_uri"), members)
    verificationURIComplete = try members.text("verification_uri_complete").map { text throws(OAuth2ResponseError) in
      try Self.address(text, members)
    }
    expiresIn = members.lifetime.flatMap { $0 > 0 ? $0 : nil } ?? 900
    interval = members.seconds("interval").map { max($0, 1) } ?? 5
  }

  /// Checks a URL that will be shown in a terminal and opened in a browser. The URL must use `http` or `https`, and contain no control
  /// characters.
  private static func address(_ text: String, _ members: OAuth2ResponseReader) throws(OAuth2ResponseError) -> String {
    do throws(RequestURLError) {
      _ = try RequestURL(text)
      return text
    } catch {
      throw members.unusable("has an address for the device that cannot be used (\(error))")
    }
  }
}
