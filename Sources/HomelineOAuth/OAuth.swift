/// A namespace for the names of this library that are so general that they could collide with your own.
public enum OAuth {}

// The other targets of this package use the short names; programs outside it see the namespace only.
package typealias Answer = OAuth.Response
package typealias AnswerError = OAuth.ResponseError
package typealias Authorization = OAuth.Authorization
package typealias BaseString = OAuth.BaseString
package typealias Callback = OAuth.Callback
package typealias ClockOffset = OAuth.ClockOffset
package typealias FormEncoding = OAuth.FormEncoding
package typealias FormError = OAuth.FormError
package typealias Nonce = OAuth.Nonce
package typealias Parameter = OAuth.Parameter
package typealias PercentEncoding = OAuth.PercentEncoding
package typealias Redaction = OAuth.Redaction
package typealias Secret = OAuth.Secret
package typealias Signature = OAuth.Signature
package typealias SignatureMethod = OAuth.SignatureMethod
package typealias Signer = OAuth.Signer
package typealias Stamp = OAuth.Stamp
package typealias TokenRequest = OAuth.TokenRequest
package typealias TokenResponse = OAuth.TokenResponse
package typealias TokenRole = OAuth.TokenRole
