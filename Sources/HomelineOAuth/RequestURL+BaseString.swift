extension RequestURL {
  /// Writes ``baseStringURI``, encoded, as the base string has it: part by part, so that no text is put together for it.
  func writeBaseStringURI(to buffer: inout ByteBuffer) {
    buffer.append(isHTTPS ? "https%3A%2F%2F" : "http%3A%2F%2F")
    buffer.append(encoded: host)
    if let ownPort {
      buffer.append("%3A")
      buffer.append(decimal: Int64(ownPort))
    }
    buffer.append(encoded: path)
  }
}
