internal import CCurl
internal import CLinux
internal import Glibc
internal import HTTP

/// A libcurl easy handle (libcurl-easy(3)), which is reused for one transfer after another. A handle is used only on the client's thread.
@safe
final class EasyHandle {
  /// The `CURL *`, freed in `deinit`.
  let raw: UnsafeMutableRawPointer
  /// The handle's address, which identifies it in the loop.
  var name: UInt { unsafe UInt(bitPattern: raw) }
  private(set) var transfer: Transfer?
  private var headerLines: UnsafeMutablePointer<curl_slist>?
  /// The buffer for libcurl's error message (`CURLOPT_ERRORBUFFER(3)`).
  private let message: UnsafeMutablePointer<CChar>

  init() {
    guard let raw = unsafe curl_easy_init() else { fatalError("libcurl could not allocate an easy handle") }
    unsafe self.raw = raw
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(to: 0)
  }

  deinit {
    unsafe curl_easy_cleanup(raw)
    unsafe curl_slist_free_all(headerLines)
    unsafe message.deallocate()
  }

  /// Sets all options for a transfer. Options of the previous transfer are reset.
  /// - Parameter route: the route of a request with an address policy.
  func prepare(_ transfer: Transfer, by route: CheckedRoute?) {
    self.transfer = transfer
    unsafe curl_easy_reset(raw)
    unsafe message.pointee = 0
    unsafe set(CURLOPT_ERRORBUFFER, pointer: message)
    set(rulesOf: transfer.policy)
    set(transfer.request)
    if let timeout = transfer.request.rules.idleTimeout { set(idleTimeout: timeout) }
    // These unretained pointers stay valid, because `self.transfer` holds the transfer until `finish`.
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    unsafe set(CURLOPT_WRITEDATA, pointer: context)
    unsafe set(CURLOPT_HEADERDATA, pointer: context)
    _ = unsafe ccurl_set_callback(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.take(body: piece) ? size * count : 0
    }
    _ = unsafe ccurl_set_callback(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.take(header: line) ? size * count : 0
    }
    if transfer.request.streamedBody != nil { unsafe setUpload(for: context) }
    if let route { unsafe set(route, for: context) }
  }

  /// Sets the options for the request body.
  /// - Parameter context: the transfer.
  private func setUpload(for context: UnsafeMutableRawPointer) {
    unsafe set(CURLOPT_READDATA, pointer: context)
    set(CURLOPT_UPLOAD_BUFFERSIZE, Self.streamBuffer)
    _ = unsafe ccurl_set_callback(raw, CURLOPT_READFUNCTION) { bytes, size, count, context in
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
      let space = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.fill(space) ?? Int(CURL_READFUNC_ABORT)
    }
  }

  /// Limits the time without progress instead of the total time.
  private func set(idleTimeout: Duration) {
    set(CURLOPT_TIMEOUT_MS, 0)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, Int(idleTimeout.components.seconds))
  }

  /// The buffer size for a streamed transfer in bytes. libcurl's own default makes large transfers slower.
  private static let streamBuffer = 256 << 10

  /// Sets the options for a route.
  /// - Parameter context: the transfer.
  private func set(_ route: CheckedRoute, for context: UnsafeMutableRawPointer) {
    // Set both options explicitly, so that libcurl ignores the environment and uses this route.
    set(CURLOPT_PROXY, route.proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    if !route.keepsConnection {
      set(CURLOPT_FRESH_CONNECT, 1)
      set(CURLOPT_FORBID_REUSE, 1)
    }
    // The proxy is configured by the user and may have any address.
    guard route.proxy == nil, !route.isExempt else { return }
    unsafe set(CURLOPT_OPENSOCKETDATA, pointer: context)
    _ = unsafe ccurl_set_open_socket(raw) { context, _, target in
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
      let (family, type, kind) = unsafe (target!.pointee.family, target!.pointee.socktype, target!.pointee.protocol)
      let start = unsafe UnsafeRawPointer(target!) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(target!.pointee.addrlen))
      guard transfer.mayConnect(to: unsafe NetworkAddress(bytes)) else { return CURL_SOCKET_BAD }
      return clinux_socket(family, type, kind)
    }
  }

  /// Delivers the outcome and releases the transfer.
  func finish(_ code: CURLcode) {
    let specific = unsafe String(cString: message)
    let general = unsafe String(cString: curl_easy_strerror(code))
    // The value is 0 until a connection, with TLS if needed, is ready for the request.
    var sentAfter: curl_off_t = 0
    _ = unsafe ccurl_get_offset(raw, CURLINFO_PRETRANSFER_TIME_T, &sentAfter)
    transfer?.finish(code, status: status, message: specific.isEmpty ? general : specific, wasSent: sentAfter > 0)
    transfer = nil
  }

  /// Releases the transfer without an outcome.
  func release() { transfer = nil }

  /// Reports the cancellation and releases the transfer.
  func cancel() {
    transfer?.cancel(status: status)
    transfer = nil
  }

  /// The status of the current response; 0 before its status line is received.
  private var status: Int {
    var status = 0
    _ = unsafe ccurl_get_long(raw, CURLINFO_RESPONSE_CODE, &status)
    return status
  }

  private func set(rulesOf policy: ClientPolicy) {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // Following a redirect would send one URL's signature to another URL.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_TIMEOUT_MS, policy.totalTimeout.milliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds)
    // Without this option, a hung name lookup delays the program's exit.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_USERAGENT, policy.userAgent)
    // All codings that libcurl was built with: gzip, br, zstd.
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_PIPEWAIT, 1)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Requests to this machine never use a proxy.
    set(CURLOPT_NOPROXY, "127.0.0.1,::1,localhost" + (policy.noProxy.map { ",\($0)" } ?? ""))
    if let file = policy.authorityFile { set(CURLOPT_CAINFO, file) }
    if let folder = policy.authorityFolder { set(CURLOPT_CAPATH, folder) }
  }

  private func set(_ request: ClientRequest) {
    set(CURLOPT_URL, request.url)
    // A null value means that libcurl neither requests nor decodes compression.
    if request.rules.isVerbatim { _ = unsafe ccurl_set_pointer(raw, CURLOPT_ACCEPT_ENCODING, nil) }
    switch request.method {
    case .get: break
    case .head: set(CURLOPT_NOBODY, 1)
    default:
      set(CURLOPT_POST, 1)
      set(CURLOPT_CUSTOMREQUEST, request.method.name)
      let body = request.bytes
      _ = unsafe ccurl_set_offset(
        raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.streamedBody?.count ?? body.count))
      if request.streamedBody == nil {
        unsafe body.withUnsafeBytes { bytes in
          _ = unsafe ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(message))
        }
      }
      // libcurl repeats a request if the server has closed the reused connection, but a request that changes something must be sent only
      // once.
      if !request.isRepeatable { set(CURLOPT_FRESH_CONNECT, 1) }
    }
    if request.receiver != nil { set(CURLOPT_BUFFERSIZE, Self.streamBuffer) }
    unsafe curl_slist_free_all(headerLines)
    unsafe headerLines = nil
    // A name without a value suppresses the field that libcurl would add.
    add(headerLine: "Expect:")
    if request.headers.first(.contentType) == nil { add(headerLine: "Content-Type:") }
    for field in request.headers.fields {
      let value = field.value.text
      add(headerLine: value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
    }
    _ = unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, headerLines)
  }

  private func add(headerLine: String) { unsafe headerLines = curl_slist_append(headerLines, headerLine) }

  private func set(_ option: CURLoption, _ value: Int) { _ = unsafe ccurl_set_long(raw, option, value) }
  private func set(_ option: CURLoption, _ value: String) { _ = unsafe ccurl_set_text(raw, option, value) }
  private func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
    _ = unsafe ccurl_set_pointer(raw, option, pointer)
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
}
