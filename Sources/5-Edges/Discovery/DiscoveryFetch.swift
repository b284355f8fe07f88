package import Bytes
package import HTTP

/// Sends a GET request without following redirects.
///
/// Nobody but another server has named the hosts with a referrer, so they must be reachable for everybody: the caller connects to them only
/// at public addresses, unless the server that the user named is not public either.
/// - Parameter referrer: the server that named this URL's host; nil for the host that the user named.
/// - Throws: an error if there is no response.
package typealias DiscoveryFetch = (RequestURL, _ referrer: String?) throws(DiscoveryError) -> Response
