internal import HTTP
internal import Settings
internal import Time

/// The failures specific to a cloud drive, except interrupted transfers.
extension FaultName {
  /// The fault for a name that only the drive supports.
  var driveFault: SandboxFault {
    switch self {
    case .tokenExpired:
      return .respond(
        Response(json: Array(#"{"error_code":40102,"error_msg":"token expired"}"#.utf8), status: .unauthorized))
    case .tokenExpiredHidden:
      return .respond(Response(json: Array(#"{"error_code":"40101","error_msg":"token invalid"}"#.utf8)))
    case .resultZero: return .respond(Response(json: Array(#"{"result":0,"msg":"not possible"}"#.utf8)))
    case .wrongCount: return .replacing(member: "count", with: "0")
    case .deadServer: return .replacing(#""server":""#, with: #""server":"127.0.0.1:1/upload,"#)
    case .sessionMissing: return .respond(Response(json: Array("{}".utf8)))
    case .offsetMissing: return .respond(Response(status: .ok, type: "text/html", text: "<html></html>"))
    case .offsetEmpty: return .change { $0.body = [] }
    case .offsetQuoted: return .change { $0.body = Array("\"".utf8) + $0.body + Array("\"".utf8) }
    case .contentKnown: return .alter { $0.headers.set(GokuaiSandbox.unknownField, "1") }
    case .contentRedirected, .blockRedirected:
      return .respond(Response(status: .found, headers: ["Location": "http://example.org/content"]))
    case .rangeRefused: return .alter { $0.headers.set("Range", "bytes=2147483647-") }
    case .signatureRefused:
      return .respond(
        Response(
          json: Array(#"{"error_code":401041,"error_msg":"signature check failed"}"#.utf8), status: .unauthorized))
    case .lifetimeAsTime:
      let end = WallClock.system.now.seconds + Int64(GokuaiUsers.tokenLife)
      return .replacing(member: "expires_in", with: "\(end)")
    case .lifetimeAsText: return .replacing(member: "expires_in", with: "\"\(GokuaiUsers.tokenLife)\"")
    case .lifetimeMissing: return .replacing(member: "expires_in", with: "null")
    case .refreshMissing: return .replacing(member: "refresh_token", with: "null")
    case .clockAhead: return .alter { $0.headers.set(GokuaiSandbox.clockField, "900") }
    case .replayRefused: return .alter { $0.headers.set(GokuaiSandbox.replayField, "1") }
    case .refreshRefused:
      return .respond(
        Response(
          json: Array(#"{"error_code":401010,"error_msg":"refresh_token invalid"}"#.utf8), status: .unauthorized))
    case .folderShrinks: return .alter { $0.headers.set(GokuaiSandbox.shrinkingField, "1") }
    default: preconditionFailure("\(rawValue) is not a fault specific to the drive")
    }
  }
}
