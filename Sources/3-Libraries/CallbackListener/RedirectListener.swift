internal import Dispatch
internal import HTTPServer
internal import Platform

/// Listens on this machine for the redirect that ends a login in the browser (RFC 8252 §7.3).
///
/// The initializer opens the listener on 127.0.0.1 and ::1, so the redirect URI works before it is sent to the provider.
/// ``redirect(within:where:)`` waits for the redirect that belongs to the login, and ``close(showing:)`` shows the login's outcome:
///
/// ```swift
/// let listener = try RedirectListener(port: 8765)
/// print("Open", authorizationURL(redirectingTo: listener.redirectURI))
/// let redirect = try await listener.redirect(within: .seconds(300)) { $0.query?.contains("state=\(state)") == true }
/// let token = try await exchange(redirect.query)
/// await listener.close(showing: CallbackPage("Logged in", "You can close this window."))
/// ```
///
/// Requests get an error and have no other effect if they come from another user of the machine, or from a page whose host name was made to
/// resolve to this machine. The same applies to other paths and methods. After the expected redirect, the browser is redirected again, so
/// that the code does not stay in its address bar; the final page waits for ``close(showing:)``. Unexpected redirects receive 404, and
/// after many of them 429.
public final class RedirectListener: Sendable {
  /// How the redirect URI refers to this machine.
  public enum Host: Sendable, Hashable {
    /// `127.0.0.1`. A program listening on the same port of ::1 does not receive the redirect.
    case literal
    /// `localhost`, for providers that do not accept a literal address. Browsers may try ::1 first, so both addresses must be free.
    case localhost
  }

  /// The port, even if 0 was requested.
  public let port: UInt16
  /// The URI to register with the provider and to send in the requests, such as `http://127.0.0.1:8765/callback`.
  public let redirectURI: String
  /// A message if another program uses the same port on ::1, which does not prevent the listener from working; otherwise nil.
  public let warning: String?

  private let server: RedirectServer
  private let visit: RedirectServer.Visit
  private let wait: RedirectWait

  /// Opens the listener.
  /// - Parameters:
  ///   - port: the TCP port; 0 for a free one, which only some providers accept (RFC 8252 §7.3).
  ///   - path: the path of the redirect URI, which begins with `/` and is compared byte by byte.
  ///   - host: how the redirect URI refers to this machine.
  ///   - application: the name of your program, for the pages in the browser.
  /// - Throws: ``RedirectListenerError/portInUse(address:port:)``, ``RedirectListenerError/invalidPath(_:)`` or
  ///   ``RedirectListenerError/system(_:)``.
  public init(
    port: UInt16 = 0, path: String = "/callback", host: Host = .literal, application: String = "A program"
  ) throws(RedirectListenerError) {
    guard Self.isPath(path) else { throw .invalidPath(path) }
    let queue = DispatchQueue(label: "callback-listener")
    let wait = RedirectWait(on: queue)
    let server = RedirectServer(
      idlePath: path, texts: .library(application), on: queue, report: { _ in }
    ) { redirect, reply in
      wait.take(redirect, reply)
    }
    do throws(ListenError) {
      let opened = try server.open(port: port, host: host == .literal ? .literal : .localhost, path: path)
      (visit, self.port) = (opened.visit, opened.port)
      warning = opened.warning?.description
    } catch {
      throw RedirectListenerError(error)
    }
    redirectURI = "http://\(host == .literal ? "127.0.0.1" : "localhost"):\(self.port)\(path)"
    self.server = server
    self.wait = wait
  }

  deinit {
    wait.close()
    let server = server
    // The server, with its port, stays open until a browser that was redirected to the page has fetched it.
    server.close(visit, showing: .programEnded) { withExtendedLifetime(server) {} }
  }

  /// Waits for the redirect that belongs to this login; it may already have arrived.
  /// - Parameters:
  ///   - limit: how long to wait.
  ///   - isExpected: decides whether a redirect is expected, by comparing the `state` (OAuth 2.0) or the `oauth_token` (OAuth 1.0a) in its
  ///     query with the issued value. The closure runs on the listener's queue, and must not block.
  /// - Returns: the first expected redirect. Repeats of it get the same response, and are not returned.
  /// - Throws: ``RedirectListenerError/timedOut``; ``RedirectListenerError/cancelled`` if the task is cancelled;
  ///   ``RedirectListenerError/closed`` after ``close(showing:)``; ``RedirectListenerError/alreadyWaiting`` for a second simultaneous call.
  ///   After ``RedirectListenerError/timedOut`` and ``RedirectListenerError/cancelled``, you can call this function again.
  public func redirect(
    within limit: Duration, where isExpected: @escaping @Sendable (Redirect) -> Bool
  ) async throws(RedirectListenerError) -> Redirect {
    let call = RedirectWait.Call(visit: visit) { isExpected(Redirect($0)) }
    let outcome: Result<RedirectServer.Redirect, RedirectListenerError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.begin(call, within: limit) { continuation.resume(returning: $0) }
        if Task.isCancelled { wait.cancel(call) }
      }
    } onCancel: {
      wait.cancel(call)
    }
    return Redirect(try outcome.get())
  }

  /// Shows the outcome in the browser of the expected redirect and closes the port.
  ///
  /// The call returns when the browser has received the page, but after 5 s at the latest. If no redirect arrived, it returns immediately.
  public func close(showing page: CallbackPage) async {
    wait.close()
    await withCheckedContinuation { continuation in
      server.close(visit, showing: page) { continuation.resume() }
    }
  }

  /// Returns whether a string can be the path of a redirect URI (RFC 3986 §3.3). Percent-encoded characters are not allowed, because paths
  /// are compared without decoding.
  private static func isPath(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/")
      && path.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "/-._~!$&'()*+,;=:@".utf8.contains(byte)
      }
  }
}

extension RedirectListener {
  /// A browser's request to the redirect URI.
  public struct Redirect: Sendable, Hashable {
    /// The part of the address after the `?`, percent-encoded as received; nil without a `?`. The query contains a code or a verifier, so
    /// do not log it.
    public let query: String?
    /// Whether the user may see the response as a page; false for images and scripted requests. If a redirect with an error does not
    /// identify a login, trust it only if this is true.
    public let isNavigation: Bool

    init(_ redirect: RedirectServer.Redirect) {
      query = redirect.query
      isNavigation = redirect.isNavigation
    }
  }
}

extension RedirectListener.Redirect: CustomStringConvertible, CustomReflectable {
  /// Describes only the length of the query, because its values are secret.
  public var description: String { "redirect with a query of \(query?.utf8.count ?? 0) bytes" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
