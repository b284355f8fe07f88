// The names of these three modules belong to this library: its users import only this one.
@_exported public import Bytes
@_exported public import Cryptography
@_exported public import OAuthValues
